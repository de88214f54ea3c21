import { createServer } from "node:http";
import { DescribeStacksCommand, type StackStatus } from "@aws-sdk/client-cloudformation";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { listen } from "../../../infra/local/listen.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { commit, commitEach } from "../../../lib/jobs/commit.ts";
import { duePartition } from "../../../lib/jobs/job.ts";
import { listed } from "../../../lib/jobs/list.ts";
import * as Feature from "../../../lib/store/feature.ts";
import * as Format from "../../../lib/store/format.ts";
import type { DocumentUid, LocationUid } from "../../../lib/store/refs.ts";
import { documentWatcherEntity, organizationWatcherEntity } from "../../../lib/store/watcher.ts";
import * as WebhookEndpoint from "../../../lib/store/webhook-endpoint.ts";
import { cloudFormation, errorLine, mockStack, onStack, run, stackHas } from "../../support/admin.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { inFormatOne } from "../../support/format-one.ts";
import { allItems } from "../../support/scan.ts";

// Between two passes over a table in use, the command waits a minute.
vi.mock(import("../../../lib/concurrency.ts"), async (original) => ({ ...(await original()), pause: async () => {} }));
mockStack();
beforeEach(() => tableOfFormatOne());
afterEach(() => void vi.restoreAllMocks());

const workspace = "w";
const ids = ["1", "2", "3", "4", "5", "6"];
const dueAt = Date.now() + 3_600_000;
const endpointAt = { url: "https://example.com/", disabled: false, createdAt: "c", updatedAt: "u", secrets: [] };
const jobAt = { kind: "purge", workspace, state: "waiting", dueAt, attempts: 0, sweeps: 0, payload: {} };
const endpointItem = (id: string): Item => {
  const key = WebhookEndpoint.webhookEndpointEntity.key({ workspace, endpointId: id });
  return { ...key, entity: "webhook-endpoint", id, ...endpointAt };
};
const jobItem = (id: string): Item => {
  const place = { due: duePartition({ id, workspace }), sweepAt: dueAt };
  return { pk: `JOB#${id}`, sk: "JOB", entity: "job", id, ...jobAt, ...place };
};
const other: Item = { pk: "W#w#O#o", sk: "ORG", entity: "organization", organizationId: "o" };
const [document, at] = [{ workspace, documentUid: "x" as DocumentUid }, "2026-01-01T00:00:00.000Z"];
const place = { ...document, organizationId: "o", locationUid: "l" as LocationUid };
const record = JSON.stringify({ reactionId: "r", from: { userId: "u" } });
const feature = Feature.creation({ ...place, kind: "reactions", id: "r" }, { record, participants: ["u"], at });
const featureItems = feature.writes.flatMap((write) => ("put" in write ? [write.put] : []));
const preference = { userId: "u", generation: 0 };
const messageItems: Item[] = [
  { pk: "W#w#X#x", sk: "PREF#u", entity: "preference", ...preference, email: "ALL", emailWatched: true },
  { ...documentWatcherEntity.put({ ...document, ...preference, shard: 0, channel: "email" }, preference).put },
  { pk: "W#w#O#o#U#12", sk: "u", entity: "user", userId: "u", notifySlack: "ALL", slackWatched: true },
  { ...organizationWatcherEntity.put({ ...place, ...preference, shard: 0, channel: "slack" }, preference).put },
  { pk: "W#w", sk: "SETTING#activity", entity: "setting", isEnabled: false, activityEvents: [] },
  { pk: "W#w", sk: "SETTING#webhooks", entity: "setting", wantedEvents: ["*"], activityEvents: [] },
];
const end = [...ids.flatMap((id) => [endpointItem(id), jobItem(id)]), ...featureItems, ...messageItems, other];
const count = { examined: expect.any(Number), migrated: 2 * ids.length + 4 };

async function tableOfFormatOne(): Promise<void> {
  newTableInMemory();
  await Format.requireFormat({ oldestRead: 1, newestRead: 1, written: 1 });
  await commitEach(inFormatOne(end).map((put) => ({ writes: [{ put }] })));
  deployedReads("1-4", "4");
}

/** The stack uses the table, and its release has these formats. */
function deployedReads(ReadFormats: string, WrittenFormat: string): void {
  stackHas({ TableName: process.env.TABLE_NAME as string, KeyId: "k", ReadFormats, WrittenFormat });
}

function stackIs(StackStatus: StackStatus, LastUpdatedTime: Date): object {
  const Outputs = Object.entries({
    TableName: process.env.TABLE_NAME,
    KeyId: "k",
    ReadFormats: "1-4",
    WrittenFormat: "4",
  });
  return {
    StackName: "s",
    CreationTime: new Date(0),
    StackStatus,
    LastUpdatedTime,
    Outputs: Outputs.map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
  };
}

const sorted = (items: Item[]) => items.toSorted((one, two) => (one.pk + one.sk < two.pk + two.sk ? -1 : 1));
const dataNow = async () => sorted((await allItems()).filter(({ pk }) => pk !== "FORMAT"));
const formerData = () => sorted(inFormatOne(end));
const command = ["migrate-items", "--units-per-second", "1000000"];

describe("migrate-items", () => {
  it("migrates every item, then has nothing to do", async () => {
    expect(await onStack(command)).toEqual({ state: "complete", from: 1, to: 4, ...count });
    expect(await dataNow()).toEqual(sorted(end));
    expect(await Format.get()).toEqual(expect.objectContaining({ version: 4 }));
    expect((await Array.fromAsync(listed(workspace))).flat()).toHaveLength(ids.length);
    expect(await onStack(command)).toEqual({ state: "current", from: 4, to: 4, examined: 0, migrated: 0 });
  });

  it("only counts with --dry-run", async () => {
    expect(await onStack([...command, "--dry-run"])).toEqual({ state: "counted", from: 1, to: 4, ...count });
    expect(await dataNow()).toEqual(formerData());
    expect((await run([...command, "--dry-run", "--stack", "s"])).stdout).toMatch(
      /^From format 1 to 4: 16 of \d+ items would change\.\n$/,
    );
  });

  it("changes nothing while the deployed release does not read the new format", async () => {
    deployedReads("1-1", "1");
    expect(await errorLine([...command, "--stack", "s"])).toMatch(/^The deployed release does not read format 4\./);
    expect(await dataNow()).toEqual(formerData());
    expect(await Format.get()).toMatchObject({ version: 1 });
  });

  it("does all steps at once when calls are stopped, also for a release without the outputs", async () => {
    stackHas({ TableName: process.env.TABLE_NAME as string, KeyId: "k" });
    expect(await onStack([...command, "--calls-stopped"])).toMatchObject({ state: "complete", ...count });
    expect(await dataNow()).toEqual(sorted(end));
  });

  it("permits the new format first, while the deployed release writes the former one", async () => {
    deployedReads("1-4", "1");
    expect(await onStack(command)).toMatchObject({ state: "open" });
    expect(await dataNow()).toEqual(formerData());
    deployedReads("1-4", "4");
    expect(await onStack(command)).toMatchObject({ state: "complete" });
    expect(await dataNow()).toEqual(sorted(end));
  });

  it("keeps what calls write meanwhile: a job is changed, and an endpoint is created", async () => {
    let scans = 0;
    interceptStore(
      () => {},
      async ({ constructor: { name } }) => {
        if (name !== "ScanCommand" || ++scans > ids.length) return;
        const job = `${scans}`;
        await commit([{ update: { pk: `JOB#${job}`, sk: "JOB" }, set: { attempts: 7 } }]);
        await commit([{ put: endpointItem(`new-${job}`) }]);
      },
    );
    expect(await onStack(command)).toMatchObject({ state: "complete" });
    vi.restoreAllMocks();
    const changed = end.map((item) => (item.entity === "job" ? { ...item, attempts: 7 } : item));
    expect(await dataNow()).toEqual(sorted([...changed, ...ids.map((id) => endpointItem(`new-${id}`))]));
  });

  it.each(["before", "after"] as const)(
    "is completed by the next run when it was killed %s a request",
    async (when) => {
      let at = 0;
      for (let isKilled = true; isKilled; at += 37) {
        await tableOfFormatOne();
        let seen = 0;
        const kill = () => {
          if (seen++ >= at) throw new Error("killed");
        };
        if (when === "before") interceptStore(kill);
        else interceptStore(() => {}, kill);
        const { status } = await run([...command, "--stack", "s"]);
        isKilled = status !== 0;
        vi.restoreAllMocks();
        if (isKilled) expect(await onStack(command), `${when} ${at}`).toMatchObject({ to: 4 });
        expect(await dataNow(), `${when} ${at}`).toEqual(sorted(end));
        expect(await Format.get()).toEqual(expect.not.objectContaining({ oldest: expect.anything() }));
      }
      expect(at).toBeGreaterThan(100);
    },
    600_000,
  );
});

describe("--calls-stopped", () => {
  it("changes nothing while the address of the stack answers calls, and counts with --dry-run", async () => {
    const server = createServer((_, response) => void response.writeHead(404).end());
    const { url, close } = await listen(server, 0);
    onTestFinished(close);
    stackHas({ TableName: process.env.TABLE_NAME as string, KeyId: "k", ApiUrl: `${url}/` });
    const args = [...command, "--calls-stopped"];
    expect(await errorLine([...args, "--stack", "s"])).toMatch(/^Calls are not stopped:/);
    expect(await dataNow()).toEqual(formerData());
    expect(await Format.get()).toMatchObject({ version: 1 });
    expect(await onStack([...args, "--dry-run"])).toMatchObject({ state: "counted", ...count });
  });
});

describe("a deployment", () => {
  const [one, two] = [new Date(1_000), new Date(2_000)];
  const describes = (...stacks: object[]) => {
    const mock = cloudFormation.on(DescribeStacksCommand, { StackName: "s" });
    for (const stack of stacks) mock.resolvesOnce({ Stacks: [stack as never] });
    mock.resolves({ Stacks: [stacks.at(-1) as never] });
  };

  it.each([[[]], [["--calls-stopped"]]])("that runs refuses the command: %j", async (more) => {
    describes(stackIs("UPDATE_IN_PROGRESS", one));
    expect(await errorLine([...command, ...more, "--stack", "s"])).toMatch(/^A deployment .*runs/);
    expect(await dataNow()).toEqual(formerData());
  });

  it("that begins meanwhile leaves the former format open, and the next run closes it", async () => {
    describes(stackIs("UPDATE_COMPLETE", one), stackIs("UPDATE_COMPLETE", one), stackIs("UPDATE_IN_PROGRESS", two));
    expect(await errorLine([...command, "--stack", "s"])).toMatch(/^A deployment runs, or has run meanwhile\./);
    expect(await Format.get()).toMatchObject({ version: 4, oldest: 1 });
    describes(stackIs("UPDATE_COMPLETE", two));
    expect(await onStack(command)).toMatchObject({ state: "complete", to: 4 });
    expect(await dataNow()).toEqual(sorted(end));
  });
});

describe("--table", () => {
  it("migrates a restored table, which the stack does not use yet", async () => {
    const restored = process.env.TABLE_NAME as string;
    newTableInMemory();
    await Format.requireFormat();
    stackHas({ TableName: process.env.TABLE_NAME as string, KeyId: "k", ReadFormats: "4-4", WrittenFormat: "4" });
    expect(await onStack([...command, "--table", restored])).toMatchObject({ state: "complete", ...count });
    process.env.TABLE_NAME = restored;
    expect(await dataNow()).toEqual(sorted(end));
  });

  it("is the table of the stack like any other run, if it has this name", async () => {
    deployedReads("1-1", "1");
    const args = [...command, "--stack", "s", "--table", process.env.TABLE_NAME as string];
    expect(await errorLine(args)).toMatch(/^The deployed release does not read format 4\./);
  });

  it.each([["--table", "t"], ["--calls-stopped"]])("and --calls-stopped need --stack: %s", async (...args) => {
    expect(await errorLine(["migrate-items", ...args, "--data", "."])).toMatch(/ has no effect without --stack\.\n$/);
  });
});
