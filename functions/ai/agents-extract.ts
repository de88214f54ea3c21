import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { vendorNamed } from "../../lib/ai/vendors.ts";
import { callSignal } from "../../lib/call.ts";
import { pause } from "../../lib/concurrency.ts";
import { config } from "../../lib/config.ts";
import { ApiError } from "../../lib/errors.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { mimeTypes } from "../../lib/ingest/file-type.ts";
import { uploadOf } from "../../lib/ingest/upload.ts";
import { ExtractionResult } from "../../lib/schema/extraction.ts";
import { mustBeString, mustHaveAtMostCharacters, mustNotBeEmpty } from "../../lib/schema/messages.ts";
import { NonEmptyText, optional, Text } from "../../lib/schema/primitives.ts";
import * as Blob from "../../lib/store/blob.ts";
import * as ExtractionSlot from "../../lib/store/extraction-slot.ts";
import * as IngestRun from "../../lib/store/ingest-run.ts";
import * as Knowledge from "../../lib/store/knowledge.ts";
import type { WorkspaceRef } from "../../lib/store/refs.ts";

const pollMs = 250;
/** From the start of a run until a worker takes it and prolongs the lease. */
const slotSeconds = 60;

export const agentsExtract = endpoint({
  name: "agents-extract",
  path: "/v2/agents/extract",
  group: "ai",
  contract: 15,
  summary: "Extract draft agents from a file of tasks; the file becomes a knowledge source of the workspace.",
  grants: ["table:read", "table:write", "file:write", "queue:ingest"],
  data: z.object({
    fileBase64: z
      .string(mustBeString)
      .check(
        z.minLength(1, { error: mustNotBeEmpty, abort: true }),
        z.regex(/\S/, "Must not be white space only."),
        z.describe("The file in base64, at most 5 MB after decoding."),
      ),
    mimeType: NonEmptyText.check(
      z.describe(`The type of the file: one of ${mimeTypes.join(", ")}. The content must match.`),
    ),
    provider: optional(
      Text.check(
        z.describe("openai, anthropic (or claude) or gemini (or google). Default: the workspace's default provider."),
      ),
    ),
    fileName: optional(
      Text.check(z.maxLength(1_024, mustHaveAtMostCharacters(1_024)), z.describe("Stored with the knowledge source.")),
    ),
  }),
  example: { fileBase64: "VGFzayxPd25lcgpDaGVjayB0aGUgdGl0bGUuLFFBCg==", mimeType: "text/csv", fileName: "tasks.csv" },
  reply: z.object({ extractionResult: ExtractionResult }),
  message: "Agents extracted.",
  memoryMb: 1_024,
  timeoutSeconds: 28,

  async handle({ data, caller: { workspace } }) {
    const until = Date.now() + config.ingestBudgetSeconds() * 1_000;
    const { bytes, kind } = uploadOf(data);
    const vendor = data.provider === undefined ? undefined : vendorNamed(data.provider);
    if (data.provider !== undefined && !vendor) {
      throw new ApiError("INTERNAL", "The provider is unknown.", { isExpected: true });
    }
    const fingerprint = IngestRun.fingerprintOf(bytes, kind, vendor);
    let run = await IngestRun.get({ workspace }, fingerprint);
    const sourceId = Knowledge.sourceIdOf(bytes, kind);
    if (!IngestRun.isReusable(run) || (await isSourceDeleted({ workspace }, run, sourceId))) {
      const { mimeType, fileName } = data;
      const asked = { runId: randomUUID(), fingerprint, mimeType, vendor, ...(fileName && { fileName }) };
      const fresh = { ...asked, state: "running" as const, startedAt: Date.now(), vendorCalls: 0 };
      await waitForSlot({ workspace }, fresh.runId, until);
      await Blob.put({ workspace }, fingerprint, bytes);
      const outcome = await IngestRun.start({ workspace }, fresh, run);
      if (outcome === "taken by another call") await ExtractionSlot.release({ workspace }, fresh.runId);
      if (outcome === "unsent") {
        throw new ApiError(
          "UNAVAILABLE",
          "The queue is not available, so the run starts later. Send the same file again to get its result.",
        );
      }
      run = fresh;
    }
    while (!run || run.state === "running") {
      if (Date.now() + pollMs > until) {
        throw new ApiError("DEADLINE_EXCEEDED", "The file is still being processed. Send it again to get its result.");
      }
      await pause(pollMs, callSignal());
      run = await IngestRun.get({ workspace }, fingerprint);
    }
    if (run.failure) {
      const { status, message, isExpected } = run.failure;
      throw new ApiError(status, message, { isExpected });
    }
    return { extractionResult: JSON.parse(run.result as string) };
  },
});
export const handler = lambda(agentsExtract);

/** Waits until one of the workspace's slots is free. Throws DEADLINE_EXCEEDED at `until` (ms since the epoch). */
async function waitForSlot(ref: WorkspaceRef, runId: string, until: number): Promise<void> {
  while (!(await ExtractionSlot.hold(ref, runId, slotSeconds * 1_000))) {
    if (Date.now() + pollMs > until) {
      throw new ApiError(
        "DEADLINE_EXCEEDED",
        `The workspace has ${ExtractionSlot.slotCount} extractions in progress. Send the file again when one has ended.`,
      );
    }
    await pause(pollMs, callSignal());
  }
}

/** Whether the knowledge source of a completed run was deleted since. A new run then stores it again. */
async function isSourceDeleted(ref: WorkspaceRef, { state }: IngestRun.IngestRun, sourceId: string): Promise<boolean> {
  if (state !== "completed") return false;
  const [source] = await Knowledge.getMany(ref, [sourceId]);
  return source === undefined;
}
