import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { foldersAdd } from "../../../functions/folders/folders-add.ts";
import { callLine, logLine, short, styleOf } from "../../../infra/local/call-line.ts";

const at = new Date(2026, 0, 2, 3, 4, 5);
const [plain, coloured] = [styleOf(false), styleOf(true)];
const call = (reply: object, path = foldersAdd.path) => ({
  method: "POST",
  path,
  target: foldersAdd,
  reply: { statusCode: 200, headers: { "x-request-id": "0123456789abcdef" }, body: "{}", ...reply },
  durationMs: 12.6,
});
const failed = {
  statusCode: 404,
  body: JSON.stringify({ error: { status: "NOT_FOUND", message: "The folder does not exist." } }),
};

it("a call is one line: time, path, status, duration, cost and the beginning of its id", () => {
  expect(callLine(call({}), { roundTrips: 3 }, at, plain)).toBe(
    `03:04:05  POST ${foldersAdd.path}  200  13 ms, 3 round trips 01234567`,
  );
});

it("a failure shows its message, in red", () => {
  const text = "NOT_FOUND: The folder does not exist.";
  expect(callLine(call(failed), undefined, at, plain)).toContain(`  404  ${text}  `);
  expect(callLine(call(failed), undefined, at, coloured)).toContain(`\u001b[31m${text}\u001b[39m`);
});

it("an ignored field is named with the known field that it probably means", () => {
  const reply = { headers: { "x-ignored-fields": "organizationid,x%20y,folders.foldername" } };
  expect(callLine(call(reply), undefined, at, plain)).toContain(
    "ignored: organizationid. Did you mean organizationId?; x y; folders.foldername. Did you mean folderName?",
  );
});

it("an ignored field that cannot be decoded is named as it is", () => {
  const reply = { headers: { "x-ignored-fields": "a%2,b%20c,%ff" } };
  expect(callLine(call(reply), undefined, at, plain)).toContain("ignored: a%2; b c; %ff");
});

it("text of a client cannot control the terminal or begin another line", () => {
  const hostile = "\u001b[2J\r\n\u0007\u009b31m\u202e\u2028";
  const body = JSON.stringify({ error: { status: "NOT_FOUND", message: hostile } });
  const headers = { "x-request-id": hostile, "x-ignored-fields": encodeURIComponent(hostile) };
  const line = callLine(call({ statusCode: 404, body, headers }, `/v2/${hostile}`), undefined, at, coloured);
  expect(stripVTControlCharacters(line)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  expect(stripVTControlCharacters(line)).toContain("\\u{1b}[2J");
  expect(short("é 😀".repeat(1_000))).toMatch(/^.{401}$/);
});

it("a reply without a body of JSON has no message", () => {
  expect(callLine(call({ statusCode: 500, body: "<p>" }), undefined, at, plain)).toMatch(/ {2}500 {2}13 ms/);
});

it("a job is dim, and an error is red and names its cause", () => {
  const line = { level: "info", time: at.toISOString(), message: "job", worker: "purge", outcome: "done" };
  const job = { ...line, durationMs: 3.2, roundTrips: 2, correlation_id: "0123456789" };
  expect(logLine(job, plain)).toBe("03:04:05  job purge done  3 ms, 2 round trips 01234567");
  expect(logLine(job, coloured)).toContain("\u001b[2mjob purge done\u001b[22m");
  const error = { level: "error", time: at.toISOString(), message: "Failed.", cause: { stack: "Error: why\n at x" } };
  expect(logLine(error, coloured)).toContain("\u001b[31mFailed.: Error: why\u001b[39m");
});
