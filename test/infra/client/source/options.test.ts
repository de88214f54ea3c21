import { expect, it, vi } from "vitest";
import { type ClientOptions, settingsOf } from "../../../../infra/client/source/options.ts";

const given = { url: "https://api.example.com", apiKey: "k", authToken: "t" };

it.each([
  ["url", "", "url is missing."],
  ["url", "api.example.com", "url must be like https://api.example.com."],
  ["url", "http://api.example.com", "url must begin with https://"],
  ["url", "http://127.0.0.1.example.com", "url must begin with https://"],
  ["apiKey", undefined, "apiKey is missing."],
  ["authToken", "", "authToken is missing."],
  ["retries", -1, "retries must be a whole number from 0 to 2147483647."],
  ["retries", 1.5, "retries must be"],
  ["retries", null, "retries must be"],
  ["timeoutMs", 0, "timeoutMs must be a whole number from 1 to 2147483647."],
  ["timeoutMs", 0.5, "timeoutMs must be"],
  ["timeoutMs", Number.POSITIVE_INFINITY, "timeoutMs must be"],
  ["timeoutMs", 2 ** 31, "timeoutMs must be"],
  ["timeoutMs", "5", "timeoutMs must be"],
])("refuses %s %s", (name, value, message) => {
  expect(() => settingsOf({ ...given, [name]: value } as unknown as ClientOptions)).toThrow(message);
});

it.each(["http://127.0.0.1:8787", "http://localhost:8787", "http://[::1]:8787"])("takes %s, of this machine", (url) => {
  expect(settingsOf({ ...given, url }).url).toBe(url);
});

it("takes undefined as absent", () => {
  const absent = { retries: undefined, timeoutMs: undefined, onIgnoredFields: undefined, fetch: undefined };
  expect(settingsOf({ ...given, ...absent })).toEqual(settingsOf(given));
});

it("keeps the path of an address, without the last slash", () => {
  expect(settingsOf({ ...given, url: "https://api.example.com/team/?a=1" }).url).toBe("https://api.example.com/team");
});

it("refuses to run in a browser, which would show the keys", () => {
  vi.stubGlobal("window", {});
  vi.stubGlobal("document", {});
  expect(() => settingsOf(given)).toThrow("createClient is for servers");
  vi.unstubAllGlobals();
});
