import { expect, it, vi } from "vitest";
import { isLook } from "../../../infra/console/server/look.ts";
import { addExampleData } from "../../../infra/local/example-data.ts";
import { callLines, onEnter, visibleJsonLines } from "../../../infra/local/terminal.ts";

function terminal() {
  const printed: string[] = [];
  const lines = callLines((text) => printed.push(text) > 0, false);
  return { printed, ...lines };
}
const time = new Date().toISOString();
const reply = { statusCode: 200, headers: { "x-request-id": "a" }, body: "" };

it("the log line of a call waits for the call, and gives it its cost", () => {
  const { printed, write, onCall } = terminal();
  write(`${JSON.stringify({ level: "info", time, message: "call", correlation_id: "a", roundTrips: 7 })}\n`);
  expect(printed).toEqual([]);
  onCall({ method: "GET", path: "/x", target: undefined, reply, durationMs: 1 });
  onCall({ method: "GET", path: "/x", target: undefined, reply, durationMs: 1 });
  expect(printed).toEqual([
    expect.stringContaining("GET /x  200  1 ms, 7 round trips a\n"),
    expect.stringMatching("GET /x  200  1 ms a\n"),
  ]);
});

it("a call with which the console looks for changes is left out, unless it fails", () => {
  const { printed, onCall } = terminal();
  const look = { method: "POST", path: "/look", target: undefined, durationMs: 1, isLook: true };
  onCall({ ...look, reply });
  onCall({ ...look, reply: { ...reply, statusCode: 500 } });
  expect(printed).toEqual([expect.stringContaining("POST /look  500")]);
});

it("a job of such a call is left out too, unless it fails", () => {
  const { printed, write, onCall } = terminal();
  const job = (id: string, level: string, outcome: string) =>
    write(`${JSON.stringify({ level, time, message: "job", worker: "fanout", outcome, correlation_id: id })}\n`);
  onCall({ method: "POST", path: "/look", target: undefined, durationMs: 1, isLook: true, reply });
  job("a", "info", "done");
  job("a", "error", "threw");
  job("b", "info", "done");
  expect(printed).toEqual([expect.stringContaining("fanout threw"), expect.stringContaining("fanout done")]);
});

it("each call of the example is left out like these, so that the addresses stay in sight", async () => {
  const looks: boolean[] = [];
  vi.stubGlobal("fetch", async ({ headers }: Request) => {
    looks.push(isLook(Object.fromEntries(headers)));
    // Enough for each call of the story.
    return Response.json({ result: { data: { organizations: [], domains: [] } } });
  });
  await addExampleData({ url: "http://service", apiKey: "key", authToken: "token" });
  expect(looks.length).toBeGreaterThan(10);
  expect(looks).not.toContain(false);
});

it("jobs, warnings and errors are shown, other information is not, and other text is unchanged", () => {
  const { printed, write } = terminal();
  write(`${JSON.stringify({ level: "info", time, message: "scheduled" })}\n`);
  write(`${JSON.stringify({ level: "warn", time, message: "Careful." })}\n`);
  write(
    `${JSON.stringify({ level: "info", time, message: "job", worker: "purge", outcome: "done", durationMs: 1 })}\n`,
  );
  write('{"level":broken\n');
  write(Buffer.from("text\n"));
  expect(printed).toEqual([
    expect.stringContaining("Careful."),
    expect.stringContaining("job purge done"),
    '{"level":broken\n',
    "text\n",
  ]);
});

it("other text controls no terminal", () => {
  const { printed, write } = terminal();
  write("a\u001b[2J\u009bb\n");
  write(Buffer.from("\u202e\n"));
  expect(printed).toEqual(["a\\u{1b}[2J\\u{9b}b\n", "\\u{202e}\n"]);
});

it("the lines of --json control no terminal either", () => {
  const printed: string[] = [];
  const write = visibleJsonLines((text) => printed.push(text) > 0);
  write(`${JSON.stringify({ message: "a\u009b2J\u202e" })}\n`);
  write(Buffer.from("\u0085\n"));
  expect(printed).toEqual(['{"message":"a\\u{9b}2J\\u{202e}"}\n', "\\u{85}\n"]);
});

it("without a terminal, nothing waits for Enter", () => {
  expect(onEnter(() => {})).toBe(false);
});
