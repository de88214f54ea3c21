import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { startRun } from "../../../../lib/ingest/start-run.ts";
import * as IngestRun from "../../../../lib/store/ai/ingest-run.ts";

it("IngestRun.end does not change the result of a run that has ended", async () => {
  const ref = { workspace: randomUUID() };
  const run = { runId: "r", fingerprint: "f", mimeType: "text/plain" };
  await startRun(ref, { ...run, state: "running", startedAt: Date.now(), vendorCalls: 0 }, undefined);
  await IngestRun.end(ref, run, {});
  const stored = await IngestRun.get(ref, "f");
  expect(stored).toMatchObject({ state: "completed" });
  await IngestRun.end(ref, run, { failure: { status: "INTERNAL", message: "Late.", isExpected: true } });
  expect(await IngestRun.get(ref, "f")).toEqual(stored);
});
