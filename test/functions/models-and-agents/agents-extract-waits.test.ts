// Calls that wait for an extraction that another call started, or for a slot (DECISIONS.md#extraction-runs).
import { afterEach, describe, expect, it, vi } from "vitest";
import { agentsExtract, handler } from "../../../functions/models-and-agents/agents-extract.ts";
import * as IngestRun from "../../../lib/store/ai/ingest-run.ts";
import * as WaitingSlot from "../../../lib/store/waiting-slot.ts";
import { atAwsEdge } from "../../support/aws/edge.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, contextOf, eventOf, type Reply } from "../../support/call.ts";
import { errorLines, logs } from "../../support/capture-logs.ts";
import { running } from "../../support/exact/containers.ts";
import { csv, extract, fileOf, startExtractionVendor, withKeys, work } from "../../support/extraction.ts";
import { itemsOf } from "../../support/scan.ts";
import { untilHolds } from "../../support/turns.ts";
import { mocked } from "../../support/workspace.ts";

const vendor = await startExtractionVendor();
const fingerprint = IngestRun.fingerprintOf(Buffer.from(csv), "csv", undefined);
const { extractionCall } = WaitingSlot.slotCounts;

afterEach(() => void vi.useRealTimers());

const openSlotsOf = async ({ apiKey }: Credentials) =>
  (await itemsOf(apiKey)).filter(({ entity, until }) => entity === "waiting-slot" && Number(until) > 0);

describe("a run that another call started", () => {
  it("is waited for by ten calls of a workspace, and the others are refused at once", async () => {
    const [as, other] = [await withKeys(vendor), await withKeys(vendor)];
    const send = (index: number) =>
      call(agentsExtract, {
        as,
        data: fileOf(csv),
        remainingMs: 28_000,
        headers: { "idempotency-key": `key-${index}` },
      });
    const replies: (Reply & { index: number })[] = [];
    const calls = Array.from({ length: 1 + extractionCall + 5 }, async (_, index) => {
      replies.push({ index, ...(await send(index)) });
    });
    await untilHolds(() => replies.length === 5);
    for (const { status, headers, error } of replies) {
      expect([status, headers["retry-after"], error]).toEqual([
        429,
        "2",
        {
          status: "RESOURCE_EXHAUSTED",
          message: "The workspace has 10 calls that wait for extractions of other calls. Try again after 2 s.",
        },
      ]);
    }
    expect((await extract(other, fileOf(csv))).status).toBe(200);

    let areDone = false;
    const done = Promise.all(calls).then(() => (areDone = true));
    while (!areDone) await Promise.race([done, work(as)]);
    expect(replies.slice(5).map(({ status }) => status)).toEqual(new Array(1 + extractionCall).fill(200));
    expect(await openSlotsOf(as)).toEqual([]);
    // The key of a refused call is free.
    expect((await send((replies[0] as { index: number }).index)).status).toBe(200);
    expect(errorLines()).toEqual([]);
  });

  it("is read 15 times in 25 seconds", async () => {
    vi.useFakeTimers();
    const { pk, sk } = IngestRun.ingestRunEntity.key({ workspace: "w", fingerprint });
    const aws = mockAws([...mocked.rows, { pk, sk, state: "running", startedAt: Date.now(), runId: "r" }]);
    let status = 0;
    const event = eventOf(agentsExtract, { as: mocked.as, data: fileOf(csv) });
    void handler(event as never, contextOf("agents-extract", 28_000) as never).then((reply) => {
      status = reply.statusCode;
    });
    const startedAt = Date.now();
    while (status === 0) await vi.advanceTimersByTimeAsync(250);
    expect(status).toBe(504);
    expect(Date.now() - startedAt).toBe(25_000);
    const read = `Get ${pk} ${sk}`;
    const slot = "TransactWrite Update W#w#%SLOTS extractionCall#\\d";
    const calls = aws.calls().filter((each) => !each.startsWith("BatchGet W#w WORKSPACE, "));
    expect(calls).toEqual([
      read,
      "Query W#w#%SLOTS",
      expect.stringMatching(`^${slot} if {no holder & no until}$`),
      ...new Array(15).fill(read),
      expect.stringMatching(`^${slot} if {holder}$`),
    ]);
    aws.restore();
  });
});

describe("the slot of a run that has not started", () => {
  const send = (as: Credentials) =>
    handler(eventOf(agentsExtract, { as, data: fileOf(csv) }) as never, contextOf("agents-extract", 28_000) as never);

  it("is free when the file was not stored", async () => {
    const as = await withKeys(vendor);
    atAwsEdge(async (command, made) => {
      if (command.constructor.name === "PutObjectCommand") throw new Error("The bucket is away.");
      return made();
    });
    for (let calls = 0; calls < WaitingSlot.slotCounts.extraction; calls++) {
      expect((await send(as)).statusCode).toBe(500);
    }
    expect(await openSlotsOf(as)).toEqual([]);
  });

  it("is free when the file was not stored, also for a call that has waited for the slot", async () => {
    const as = await withKeys(vendor);
    const hold = (run: string) => WaitingSlot.hold({ workspace: as.apiKey }, "extraction", run, 60_000);
    const held = [await hold("a"), await hold("b")] as WaitingSlot.Held[];
    atAwsEdge(async (command, made) => {
      if (command.constructor.name === "PutObjectCommand") throw new Error("The bucket is away.");
      // The call begins to wait.
      if (JSON.stringify(command.input).includes("extractionCall#"))
        await Promise.all(held.splice(0).map(WaitingSlot.release));
      return made();
    });
    expect((await send(as)).statusCode).toBe(500);
    expect(held).toEqual([]);
    expect(await openSlotsOf(as)).toEqual([]);
  });

  it("changes no reply when it is not released: the call gets the result of the run of another call", async () => {
    const as = await withKeys(vendor);
    let isStored = false;
    atAwsEdge(async ({ constructor: { name }, input }, made) => {
      if (name === "PutObjectCommand") {
        vi.stubEnv("INGEST_BUDGET_SECONDS", "0");
        expect((await call(agentsExtract, { as, data: fileOf(csv) })).status).toBe(504);
        isStored = true;
      }
      const isOfSlot = name === "TransactWriteCommand" && JSON.stringify(input).includes("extraction#");
      // The worker's calls succeed.
      if (isStored && isOfSlot && !running()) throw new Error("The table is away.");
      return made();
    });
    const reply = send(as);
    let isDone = false;
    void reply.finally(() => (isDone = true));
    while (!isDone) await Promise.race([reply, work(as)]);
    expect((await reply).statusCode).toBe(200);
    expect(logs()).toContainEqual(expect.objectContaining({ message: "A slot was not released.", kind: "extraction" }));
  });
});

describe("DEADLINE_EXCEEDED", () => {
  it.each(["a run in progress", "slots that are held"])("is no error in the log: %s", async (what) => {
    vi.stubEnv("INGEST_BUDGET_SECONDS", "0");
    const as = await withKeys(vendor);
    if (what === "slots that are held") {
      for (const run of ["a", "b"]) await WaitingSlot.hold({ workspace: as.apiKey }, "extraction", run, 60_000);
    }
    const { error } = await call(agentsExtract, { as, data: fileOf(csv) });
    expect(error?.status).toBe("DEADLINE_EXCEEDED");
    expect(errorLines()).toEqual([]);
  });
});
