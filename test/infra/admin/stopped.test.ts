import { createServer } from "node:http";
import { CloudWatchLogsClient, FilterLogEventsCommand } from "@aws-sdk/client-cloudwatch-logs";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { requireStopped } from "../../../infra/admin/stopped.ts";
import { listen } from "../../../infra/local/listen.ts";
import { mockStack, stackHas } from "../../support/admin.ts";

mockStack();
const logs = mockClient(CloudWatchLogsClient);
beforeEach(() => void logs.reset());

const groups = { EndpointLogs: "endpoints", WorkerLogs: "workers" };
const line = { events: [{ message: "{}" }] };

/** A stack whose address answers with this status, and whose log groups have these pages of lines. */
async function stackIsSeen(status: number, pages: { [group: string]: object[] } = {}): Promise<void> {
  const server = createServer((_, response) => void response.writeHead(status).end());
  const { url, close } = await listen(server, 0);
  onTestFinished(close);
  stackHas({ ApiUrl: `${url}/`, ...groups });
  logs.on(FilterLogEventsCommand).resolves({});
  for (const [logGroupName, [first = {}, second = {}]] of Object.entries(pages)) {
    logs.on(FilterLogEventsCommand, { logGroupName }).resolves({ ...first, nextToken: "t" });
    logs.on(FilterLogEventsCommand, { logGroupName, nextToken: "t" }).resolves(second);
  }
}

describe("a stack is stopped", () => {
  it("when its address refuses calls, and no function has logged for two minutes", async () => {
    await stackIsSeen(429);
    const before = Date.now();
    await requireStopped("s");
    const inputs = logs.commandCalls(FilterLogEventsCommand).map(({ args: [{ input }] }) => input);
    expect(inputs.map(({ logGroupName }) => logGroupName)).toEqual(["endpoints", "workers"]);
    for (const { startTime = 0 } of inputs) {
      expect(startTime).toBeGreaterThanOrEqual(before - 120_000);
      expect(startTime).toBeLessThanOrEqual(Date.now() - 120_000);
    }
  });

  it("as far as can be seen, when it has no such outputs", async () => {
    stackHas({ TableName: "t" });
    await requireStopped("s");
    expect(logs.calls()).toEqual([]);
  });
});

describe("a stack is not stopped", () => {
  it.each([
    [
      "its address answers a call",
      404,
      {},
      /^Calls are not stopped: .* answers HTTP 404, not 429\. Stop calls and jobs/,
    ],
    ["an endpoint has run", 429, { endpoints: [line] }, /^Functions have run .* endpoints shows\. Stop calls and jobs/],
    ["a worker has run, on a later page", 429, { workers: [{}, line] }, /^Functions have run .* workers shows\./],
  ])("when %s", async (_, status, pages, message) => {
    await stackIsSeen(status, pages);
    await expect(requireStopped("s")).rejects.toThrow(message);
  });

  it("when its address does not answer", async () => {
    stackHas({ ApiUrl: "http://127.0.0.1:1", ...groups });
    await expect(requireStopped("s")).rejects.toThrow(/^It is unknown whether calls are stopped:/);
  });

  it("when its logs cannot be read", async () => {
    await stackIsSeen(429);
    logs.on(FilterLogEventsCommand).rejects(new Error("no permission"));
    await expect(requireStopped("s")).rejects.toThrow("no permission");
  });
});
