import { CloudWatchLogsClient, GetQueryResultsCommand, StartQueryCommand } from "@aws-sdk/client-cloudwatch-logs";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { ensureOrganization } from "../../../lib/content/existing.ts";
import { errorLine, mockStack, onStack, run, stackHas } from "../../support/admin.ts";
import { type Credentials, call } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { jobsOf } from "../../support/jobs.ts";
import { runWorker } from "../../support/run-worker.ts";
import { addEndpoint, hooked, receiver } from "../../support/webhooks.ts";

mockStack();
const insights = mockClient(CloudWatchLogsClient);
const { TABLE_NAME = "", KMS_KEY_ID = "" } = process.env;
const groups = { EndpointLogs: "endpoints", WorkerLogs: "workers", AccessLogs: "access" };

/** A stand-in for the logs of the stack: it returns the lines after one poll. */
function logsHave(lines: readonly (object | string)[]): void {
  insights.on(StartQueryCommand).resolves({ queryId: "q" });
  const results = lines.map((line) => [
    { field: "@timestamp", value: "2026-11-22 12:00:00.000" },
    { field: "@message", value: typeof line === "string" ? line : JSON.stringify(line) },
  ]);
  insights
    .on(GetQueryResultsCommand, { queryId: "q" })
    .resolvesOnce({ status: "Running" })
    .resolves({ status: "Complete", results });
}

beforeEach(() => {
  insights.reset();
  stackHas({ ApiUrl: "https://api.example.com", TableName: TABLE_NAME, KeyId: KMS_KEY_ID, ...groups });
});

/** Adds a document whose event goes to a receiver that is down at first. Returns the id of the call. */
async function addDocument(as: Credentials): Promise<string> {
  await ensureOrganization({ workspace: as.apiKey, organizationId: "o" }, true);
  const { url } = await receiver((response) => response.writeHead(503).end());
  await addEndpoint(as.apiKey, { url });
  const data = { organizationId: "o", documents: [{ documentId: "d" }] };
  const { headers } = await call(documentsAdd, { as, data });
  return headers["x-request-id"] ?? "";
}

async function runJobs(as: Credentials, kind: "fanout" | "drain"): Promise<string> {
  const [job] = await jobsOf(as, kind);
  await runWorker(kind, [job?.id ?? ""]);
  return job?.id ?? "";
}

describe("trace of a stack", () => {
  it("prints the call, its jobs and its deliveries in order, and their present state", async () => {
    const as = await hooked();
    const requestId = await addDocument(as);
    const fanout = await runJobs(as, "fanout");
    const drain = await runJobs(as, "drain");
    const access = { correlation_id: requestId, time: "1", route: "ANY /x", status: "200", integrationError: "-" };
    logsHave([
      ...logs()
        .filter((line) => line.correlation_id === requestId)
        .reverse(),
      access,
    ]);
    const traced = await onStack(["trace", requestId]);
    const delivery = expect.stringMatching(/^whe_.+\/msg_/);
    expect(traced.steps).toMatchObject([
      { what: "gateway", id: "ANY /x", outcome: "200", time: "1970-01-01T00:00:00.001Z" },
      { what: "call", id: "documents-add", outcome: "OK 200" },
      { what: "job fanout", id: fanout, outcome: "done", attempt: 1 },
      { what: "delivery", id: delivery, outcome: "again", attempt: 1, detail: expect.stringMatching(/^503, next/) },
      { what: "job drain", id: drain, outcome: "again", attempt: 1 },
    ]);
    expect(traced.states).toEqual([
      { what: "job fanout", id: fanout, state: "done", detail: "attempts 1" },
      { what: "job drain", id: drain, state: "waiting", detail: expect.stringMatching(/^attempts 0, due /) },
      { what: "delivery", id: delivery, state: "pending", detail: expect.stringMatching(/^attempts 1, next attempt /) },
    ]);
  });

  it("shows jobs and deliveries that no worker has run yet", async () => {
    const as = await hooked();
    const requestId = await addDocument(as);
    logsHave(logs());
    const [fanout] = await jobsOf(as, "fanout");
    expect((await onStack(["trace", requestId])).states).toMatchObject([{ id: fanout?.id, state: "waiting" }]);
    await runJobs(as, "fanout");
    logsHave(logs());
    const { states } = await onStack(["trace", requestId]);
    expect(states.at(-1)).toMatchObject({ what: "delivery", state: "not attempted, or no longer kept" });
  });

  it("shows each attempt of a message, with the reason if it was not sent", async () => {
    const line = { message: "message", time: "t", channel: "slack", messageId: "mes_1", attempt: 2 };
    logsHave([{ ...line, outcome: "waiting", error: "Slack did not answer." }]);
    expect((await onStack(["trace", "id"])).steps).toEqual([
      {
        what: "message slack",
        id: "mes_1",
        time: "t",
        attempt: 2,
        outcome: "waiting",
        detail: "Slack did not answer.",
      },
    ]);
  });

  it("searches the three log groups for the id, in the last hours", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000_000_000 });
    logsHave([{ message: "call", time: "t" }]);
    await onStack(["trace", "JKJaXm=", "--hours", "2"]);
    vi.useRealTimers();
    expect(insights.commandCalls(StartQueryCommand)[0]?.args[0].input).toEqual({
      logGroupNames: ["endpoints", "workers", "access"],
      queryString:
        'fields @timestamp, @message | filter correlation_id = "JKJaXm=" | sort @timestamp asc | limit 10000',
      startTime: 1_000_000_000 - 7_200,
      endTime: 1_000_000_000,
    });
  });

  it("prints columns, and omits a line that is no JSON", async () => {
    logsHave([
      "{ cut off",
      { message: "call", time: "t", endpoint: "users-get", status: "OK", http: 200, durationMs: 3 },
    ]);
    const { stdout } = await run(["trace", "id", "--stack", "s"]);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["TIME", "WHAT", "ID", "OUTCOME", "ATTEMPT", "MS", "DETAIL"],
      ["t", "call", "users-get", "OK 200", "3"],
      [""],
    ]);
  });

  it("fails for an id that the logs do not have, for a failed query, and for a text that is no id", async () => {
    logsHave([]);
    expect(await errorLine(["trace", "none", "--stack", "s"])).toContain("no line of the request none");
    insights.on(GetQueryResultsCommand).resolves({ status: "Failed" });
    expect(await errorLine(["trace", "none", "--stack", "s"])).toContain("ended as Failed");
    expect(await errorLine(["trace", 'x" or 1 = 1', "--stack", "s"])).toContain("not an id");
  });
});
