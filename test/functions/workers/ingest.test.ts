// Unusual runs of an extraction. test/functions/models-and-agents/agents-extract.test.ts has the usual ones.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { draft } from "../../../functions/workers/draft.ts";
import { ingest } from "../../../functions/workers/ingest.ts";
import { deleteAll } from "../../../lib/dynamodb/batch-write.ts";
import { startRun } from "../../../lib/ingest/start-run.ts";
import { purposes, seal } from "../../../lib/secrets.ts";
import * as IngestRun from "../../../lib/store/ai/ingest-run.ts";
import * as Knowledge from "../../../lib/store/ai/knowledge.ts";
import * as Blob from "../../../lib/store/blob.ts";
import { newJob } from "../../../lib/store/job.ts";
import * as Setting from "../../../lib/store/setting.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { logText } from "../../support/capture-logs.ts";
import { itemsOf } from "../../support/scan.ts";
import { modes, startVendorServer, type VendorServer } from "../../support/vendor.ts";

const key = "sk-c0ffee";
const agent = { name: "N", description: "D", prompt: "P", tasks: [{ first: 1, last: 1 }], userContextFields: [] };
const answer = JSON.stringify({ agents: [agent], skipped: [], summary: "S", totalTasksParsed: null });

let vendor: VendorServer;
let workspace: string;
let run: IngestRun.IngestRun;

beforeAll(async () => {
  vendor = await startVendorServer();
});
afterAll(() => vendor.close());
beforeEach(async () => {
  workspace = (await Workspace.create({ name: "ingest" })).apiKey;
  const openaiApiKeySealed = await seal(key, { workspace, purpose: purposes.aiKey.openai });
  const ai = { openaiApiKeySealed, openaiBaseUrl: vendor.baseUrl("openai") };
  await Setting.change({ workspace }, "ai", undefined, () => ai);
  vendor.behave(answer);
  run = await start("Check a.\nCheck b.");
});
afterEach(() => void vi.restoreAllMocks());

async function start(text: string, mimeType = "text/plain"): Promise<IngestRun.IngestRun> {
  const bytes = Buffer.from(text);
  const fingerprint = IngestRun.fingerprintOf(bytes, mimeType, undefined);
  await Blob.put({ workspace }, fingerprint, bytes);
  const old = await IngestRun.get({ workspace }, fingerprint);
  const asked = { runId: `run-${Math.random()}`, fingerprint, mimeType };
  const started = { ...asked, state: "running", startedAt: Date.now(), vendorCalls: 0 } as const;
  await startRun({ workspace }, started, old);
  return started;
}

const jobOf = ({ fingerprint, runId }: IngestRun.IngestRun, attempts = 1) => ({
  ...newJob("ingest", workspace, { fingerprint, runId }),
  attempts,
});
/** Runs both steps. The second finds nothing to do when the first has ended the run. */
async function work(attempts?: number, each = run, remainingMs = 30_000) {
  await ingest.run(jobOf(each, attempts), Date.now() + remainingMs);
  return draft.run(jobOf(each, attempts), Date.now() + remainingMs);
}
const endOf = async (each = run) => IngestRun.get({ workspace }, each.fingerprint);

describe("a run", () => {
  it("does nothing when it has ended and its job is delivered again", async () => {
    await work();
    const before = await endOf();
    expect(before).toMatchObject({ state: "completed", vendorCalls: 1 });
    expect(await work()).toBe("done");
    expect(await endOf()).toEqual(before);
    expect(vendor.requests).toHaveLength(1);
  });

  it("does nothing when another run has replaced it", async () => {
    const later = await start("Check a.\nCheck b.");
    expect(await work()).toBe("done");
    expect(vendor.requests).toEqual([]);
    expect(await endOf()).toMatchObject({ runId: later.runId, state: "running" });
  });

  it("calls the vendor once when two workers run it concurrently", async () => {
    await ingest.run(jobOf(run), Date.now() + 30_000);
    const ends = await Promise.allSettled([1, 2].map(() => draft.run(jobOf(run), Date.now() + 30_000)));
    expect(ends.map(({ status }) => status)).toContain("fulfilled");
    expect(vendor.requests).toHaveLength(1);
    expect(await endOf()).toMatchObject({ state: "completed" });
  });

  it("ends as failed at the sixth attempt", async () => {
    expect(await work(6)).toBe("done");
    expect(await endOf()).toMatchObject({ state: "failed", failure: { status: "INTERNAL", isExpected: false } });
    expect(vendor.requests).toEqual([]);
  });

  it("fails with a message that says so when the file has expired", async () => {
    await Blob.removeAll({ workspace });
    await work();
    expect(await endOf()).toMatchObject({
      failure: { status: "INTERNAL", message: "The file has expired. Send it again.", isExpected: false },
    });
  });

  it("is kept for 30 days after its end", async () => {
    await work();
    const [stored] = (await itemsOf(workspace)).filter(({ pk }) => pk.includes("#RUNS#"));
    expect(Math.abs(Number(stored?.ttl) - Date.now() / 1_000 - 30 * 24 * 3_600)).toBeLessThan(60);
  });
});

describe("a failing model", () => {
  const statuses: Partial<Record<(typeof modes)[number], string>> = {
    rateLimit: "UNAVAILABLE",
    quota: "UNAVAILABLE",
    error500: "UNAVAILABLE",
    overload529: "UNAVAILABLE",
    reset: "UNAVAILABLE",
    hang: "DEADLINE_EXCEEDED",
    drip: "DEADLINE_EXCEEDED",
  };

  it.each(modes)(
    "ends the run with the status of the failure, without the vendor's text or the key: %s",
    async (mode) => {
      vendor.behave({ mode });
      expect(await work(1, run, statuses[mode] === "DEADLINE_EXCEEDED" ? 2_000 : 30_000)).toBe("done");
      const end = await endOf();
      expect(end).toMatchObject({ state: "failed", failure: { status: statuses[mode] ?? "INTERNAL" } });
      expect(JSON.stringify(end)).not.toMatch(/vendor's own text|c0ffee/);
      expect(logText()).not.toMatch(/vendor's own text|c0ffee/);
    },
  );
});

describe("knowledge", () => {
  const sources = async () => (await Knowledge.listed({ workspace }, 1)).sources;
  const chunks = async () => (await itemsOf(workspace)).filter(({ pk }) => pk.includes("#K#"));

  it("is stored once for each file and MIME type", async () => {
    await work();
    await work(1, await start("Check a.\nCheck b."));
    expect(await sources()).toMatchObject([{ sourceUid: run.runId, chunkCount: 1, characters: 17 }]);
    await work(1, await start("Check a.\nCheck b.", "text/csv"));
    expect(await sources()).toHaveLength(2);
    expect(await chunks()).toHaveLength(2);
  });

  it("has each line once, in order, over several chunks", async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `- Check number ${index} of the list.`);
    await work(1, await start(lines.join("\n")));
    const [source] = await sources();
    expect(source?.chunkCount).toBeGreaterThan(3);
    const texts = (await chunks()).map((item) => Knowledge.chunkEntity.attributesOf(item).text);
    expect(texts.flatMap((text) => text.split("\n"))).toEqual(lines);
  });

  it("leaves no chunk when the source is deleted while its chunks are stored", async () => {
    const sourceId = Knowledge.sourceIdOf(Buffer.from("Check a.\nCheck b."), "text");
    const source = Knowledge.knowledgeSourceEntity.key({ workspace, sourceId });
    let isDeleted = false;
    interceptStore(async (command) => {
      if (command.constructor.name !== "BatchWriteCommand" || isDeleted) return;
      isDeleted = true;
      await deleteAll([source]);
    });
    await work();
    vi.restoreAllMocks();
    expect(isDeleted).toBe(true);
    expect(await chunks()).toEqual([]);
  });
});
