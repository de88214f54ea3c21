import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type ClientOptions, settingsOf } from "../../../../infra/client/source/options.ts";

const given = { url: "https://api.example.com", apiKey: "k", authToken: "t" };

// The tests of editors, which share the process, leave a page.
const { window, document } = globalThis as { window?: unknown; document?: unknown };
beforeAll(() => {
  for (const name of ["window", "document"]) Reflect.deleteProperty(globalThis, name);
});
afterAll(() => {
  if (window) Object.assign(globalThis, { window, document });
});

it.each([
  ["url", "", "url is missing."],
  ["url", "api.example.com", "url must be like https://api.example.com."],
  ["url", "http://api.example.com", "url must begin with https://"],
  ["url", "http://127.0.0.1.example.com", "url must begin with https://"],
  ["url", "https://user:word@api.example.com", "url must have no user, password, query or fragment"],
  ["url", "https://api.example.com/?a=1", "url must have no user, password, query or fragment"],
  ["url", "https://api.example.com/v2/", "url must not end in /v1 or /v2"],
  ["url", "https://api.example.com/#a", "url must have no user, password, query or fragment"],
  ["apiKey", undefined, "apiKey is missing."],
  ["apiKey", 5, "apiKey is missing."],
  ["apiKey", "a\r\nb: c", "apiKey must be printable ASCII without spaces."],
  ["apiKey", "k\n", "apiKey must be printable ASCII without spaces."],
  ["authToken", "schlüssel", "authToken must be printable ASCII without spaces."],
  ["authToken", "", "authToken is missing."],
  ["retries", -1, "retries must be a whole number from 0 to 2147483647."],
  ["retries", 1.5, "retries must be"],
  ["retries", null, "retries must be"],
  ["timeoutMs", 0, "timeoutMs must be a whole number from 1 to 2147483647."],
  ["timeoutMs", 0.5, "timeoutMs must be"],
  ["timeoutMs", Number.POSITIVE_INFINITY, "timeoutMs must be"],
  ["timeoutMs", 2 ** 31, "timeoutMs must be"],
  ["timeoutMs", "5", "timeoutMs must be"],
  ["fetch", 5, "fetch must be a function."],
  ["onIgnoredFields", "warn", "onIgnoredFields must be a function."],
])("refuses %s %s", (name, value, message) => {
  expect(() => settingsOf({ ...given, [name]: value } as unknown as ClientOptions)).toThrow(message);
});

it.each(["http://127.0.0.1:8787", "http://localhost:8787", "http://[::1]:8787"])("takes %s, of this machine", (url) => {
  expect(settingsOf({ ...given, url }).url).toBe(url);
});

it("prints at most 1,000 lines about ignored fields", async () => {
  // Of a process that has printed nothing before.
  const fresh: typeof import("../../../../infra/client/source/options.ts") = await import(
    /* @vite-ignore */ `../../../../infra/client/source/options.ts?${"new"}`
  );
  const warning = vi.spyOn(console, "warn").mockReturnValue();
  const { onIgnoredFields } = fresh.settingsOf(given);
  for (let index = 0; index < 1_001; index++) onIgnoredFields([`field${index}`], "usersAdd");
  expect(warning.mock.calls).toHaveLength(1_000);
  warning.mockRestore();
});

it("names the first missing option without any", () => {
  expect(() => settingsOf(undefined as unknown as ClientOptions)).toThrow("url is missing.");
});

it("takes undefined as absent", () => {
  const absent = { retries: undefined, timeoutMs: undefined, onIgnoredFields: undefined, fetch: undefined };
  expect(settingsOf({ ...given, ...absent })).toEqual(settingsOf(given));
});

it("keeps the path of an address, without the last slash", () => {
  expect(settingsOf({ ...given, url: "https://api.example.com/team/" }).url).toBe("https://api.example.com/team");
});

it("refuses to run in a browser, which would show the keys", () => {
  vi.stubGlobal("window", {});
  vi.stubGlobal("document", {});
  expect(() => settingsOf(given)).toThrow("createClient is for servers");
  vi.unstubAllGlobals();
});
