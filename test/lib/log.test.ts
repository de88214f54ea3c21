import { expect, it } from "vitest";
import { inCall, newCall } from "../../lib/call.ts";
import { ApiError } from "../../lib/errors.ts";
import { log } from "../../lib/log.ts";
import { OutboundError } from "../../lib/net/outbound-error.ts";
import { SecretError } from "../../lib/secrets.ts";
import { logs, logText } from "../support/capture-logs.ts";

it("log writes one line of JSON for any text", () => {
  log("info", "call", { endpoint: "a\nb\u2028" });
  expect(logText().split("\n")).toHaveLength(2);
  expect(logs()).toEqual([
    { level: "info", time: expect.stringMatching(/Z$/), message: "call", endpoint: "a\nb\u2028" },
  ]);
});

it("log writes a cause with its stack and its inner causes, without its other properties", () => {
  const inner = Object.assign(new Error("inner"), { request: { authToken: "secret" } });
  log("error", "call", { cause: new TypeError("outer", { cause: inner }) });
  const stack = expect.stringContaining("inner");
  expect(logs()).toMatchObject([{ cause: { name: "TypeError", cause: { name: "Error", stack } } }]);
  expect(logText()).not.toContain("secret");
});

it.each([
  ["ApiError", new ApiError("INTERNAL", "why")],
  ["OutboundError", new OutboundError("timeout")],
  ["SecretError", new SecretError("why")],
])("log writes the name of an %s, which no bundle shortens", (name, cause) => {
  log("error", "call", { cause });
  expect(logs()).toMatchObject([{ cause: { name } }]);
});

it("log writes an error and four inner causes, also of circular causes", () => {
  const one: Error & { cause?: unknown } = new Error("one");
  one.cause = new Error("two", { cause: one });
  log("error", "call", { cause: one });
  expect(logText().match(/"name":"Error"/g)).toHaveLength(5);
});

it("log writes a thrown value that is not an error", () => {
  log("error", "call", { cause: "a text" });
  expect(logs()).toMatchObject([{ cause: "a text" }]);
});

it("log writes the ids of the running call and of its invocation", () => {
  const record = newCall("request");
  record.invocation = { service: "s", cold_start: true, function_request_id: "invocation" };
  inCall(record, () => log("warn", "text", { job: "j" }));
  const ids = { service: "s", cold_start: true, function_request_id: "invocation", correlation_id: "request" };
  expect(logs()).toEqual([{ level: "warn", time: expect.any(String), message: "text", ...ids, job: "j" }]);
});

it("logMeasured names the metrics of the line that are not 0, with the service as their only dimension", async () => {
  // Of a container that has logged nothing before.
  const { logMeasured }: typeof import("../../lib/log.ts") = await import(
    /* @vite-ignore */ `../../lib/log.ts?${"new"}`
  );
  const record = newCall("request");
  record.invocation = { service: "s", cold_start: false, function_request_id: "invocation" };
  record.measures.kmsThrottles = 2;
  inCall(record, () => {
    logMeasured("info", "first", {}, {});
    logMeasured("info", "call", { roundTrips: 0 }, { calls: 1, failures: 0, roundTrips: 0 });
  });
  const [first, line = {}] = logs();
  expect(first).toMatchObject({ coldStarts: 1 });
  expect(line).toMatchObject({ service: "s", calls: 1, kmsThrottles: 2, roundTrips: 0 });
  expect(line).not.toHaveProperty("coldStarts");
  const Metrics = [{ Name: "calls" }, { Name: "kmsThrottles" }];
  const directive = { Namespace: "s", Dimensions: [["service"]], Metrics };
  expect(line._aws).toEqual({ Timestamp: expect.any(Number), CloudWatchMetrics: [directive] });
});
