import { describe, expect, it, vi } from "vitest";
import { agentsExtract } from "../../../functions/models-and-agents/agents-extract.ts";
import { draft } from "../../../functions/workers/draft.ts";
import { ingest } from "../../../functions/workers/ingest.ts";
import * as WaitingSlot from "../../../lib/store/waiting-slot.ts";
import { type Credentials, call } from "../../support/call.ts";
import { extract, fileOf, startExtractionVendor, withKeys } from "../../support/extraction.ts";
import { jobsOf } from "../../support/jobs.ts";
import { deliver } from "../../support/run-worker.ts";
import { untilHolds } from "../../support/turns.ts";

const slowVendor = await startExtractionVendor();
const vendor = await startExtractionVendor();

const fileNumber = (index: number) => fileOf(`Check page ${index}.\n`, "text/plain");
const idsOf = async (as: Credentials, kind: "ingest" | "draft") => (await jobsOf(as, kind)).map(({ id }) => id);

/** Whether a wait for this time is that for the model. */
const isOfModel = (ms: number) => ms > 200_000 && ms <= 300_000;

/** Starts extractions without waiting for their results. Returns the messages of the errors. */
async function start(as: Credentials, count: number): Promise<string[]> {
  vi.stubEnv("INGEST_BUDGET_SECONDS", "0");
  const calls = Array.from({ length: count }, (_, index) => call(agentsExtract, { as, data: fileNumber(index) }));
  const replies = await Promise.all(calls);
  vi.unstubAllEnvs();
  expect(replies.map(({ error }) => error?.status)).toEqual(new Array(count).fill("DEADLINE_EXCEEDED"));
  return replies.map(({ error }) => error?.message ?? "");
}

describe("a workspace whose model does not answer", () => {
  it("has two of its files in flight, and no other workspace waits for them", async () => {
    slowVendor.behave({ mode: "hang" });
    const [slow, other] = [await withKeys(slowVendor), await withKeys(vendor)];
    const messages = await start(slow, 2);
    messages.push(...(await start(slow, 10)).slice(2));
    expect(messages.filter((message) => message.includes("still being processed"))).toHaveLength(2);
    expect(messages.filter((message) => message.includes("2 extractions in progress"))).toHaveLength(8);
    expect(await idsOf(slow, "ingest")).toHaveLength(2);

    expect(await deliver(ingest, await idsOf(slow, "ingest"))).toEqual([]);
    expect(slowVendor.requests, "reading files waits for no model").toEqual([]);

    const ends: string[] = [];
    const end = new AbortController();
    const after = AbortSignal.timeout;
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => (isOfModel(ms) ? end.signal : after(ms)));
    const asked = deliver(draft, await idsOf(slow, "draft"), 600_000).then(() => ends.push("slow"));
    await untilHolds(() => slowVendor.requests.length === 2);
    expect((await extract(other, fileNumber(0))).error).toBeUndefined();
    ends.push("other");
    end.abort();
    await asked;
    expect(ends).toEqual(["other", "slow"]);
    await start(slow, 1);
    expect(await idsOf(slow, "ingest"), "the slots are free again").toHaveLength(1);
  });

  it("is waited for at most five minutes", async () => {
    const as = await withKeys(vendor);
    await start(as, 1);
    await deliver(ingest, await idsOf(as, "ingest"));
    const waits = vi.spyOn(AbortSignal, "timeout");
    await deliver(draft, await idsOf(as, "draft"), 600_000);
    expect(vendor.requests).toHaveLength(1);
    expect(waits.mock.calls.filter(([ms]) => isOfModel(ms))).not.toEqual([]);
  });
});

describe("a step whose lease has ended", () => {
  it("waits for a slot, without reading the file", async () => {
    const as = await withKeys(vendor);
    await start(as, 1);
    const [job] = await jobsOf(as, "ingest");
    const ref = { workspace: as.apiKey };
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_001 });
    for (const run of ["b", "c"]) expect(await WaitingSlot.hold(ref, "extraction", run, 60_000)).toBeDefined();
    const result = await ingest.run(job as NonNullable<typeof job>, Date.now() + 30_000);
    expect(result).toEqual({ again: { payload: job?.payload, delaySeconds: 5 } });
    vi.useRealTimers();
  });
});
