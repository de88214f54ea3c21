import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { config } from "../../lib/config.ts";
import { requireOrganization } from "../../lib/content/existing.ts";
import { ApiError } from "../../lib/errors.ts";
import { inSlot, releaseSafely } from "../../lib/http/call-slot.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { FileType, fileOf, problemOfFile } from "../../lib/ingest/file-type.ts";
import * as RunFiles from "../../lib/ingest/run-files.ts";
import { endOf, pauses, slotFor, startRun } from "../../lib/ingest/start-run.ts";
import { fileExpired } from "../../lib/ingest/step.ts";
import * as Uploads from "../../lib/ingest/uploads.ts";
import { vendorNamed } from "../../lib/schema/ai-vendors.ts";
import { derived } from "../../lib/schema/derived.ts";
import { ExtractionResult } from "../../lib/schema/extraction.ts";
import { OrganizationId } from "../../lib/schema/fields.ts";
import { mustBeString, mustHaveAtMostCharacters, mustNotBeEmpty } from "../../lib/schema/messages.ts";
import { mustHaveNo, optional, Text } from "../../lib/schema/primitives.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import * as IngestRun from "../../lib/store/ai/ingest-run.ts";
import * as Knowledge from "../../lib/store/ai/knowledge.ts";
import * as Blob from "../../lib/store/blob.ts";
import type { OrganizationLife } from "../../lib/store/content/organization-life.ts";
import type { WorkspaceRef } from "../../lib/store/refs.ts";
import * as WaitingSlot from "../../lib/store/waiting-slot.ts";

/** From the start of a run until a worker takes it and prolongs the lease. */
const slotMs = 60_000;

/** Undefined when the file is in an upload. */
const sent = derived(
  ({ fileBase64, mimeType }: { fileBase64?: string | undefined; mimeType: string }) =>
    fileBase64 === undefined ? undefined : fileOf(Buffer.from(fileBase64, "base64"), mimeType, "fileBase64"),
  "fileBase64",
  "mimeType",
);

export const agentsExtract = endpoint({
  name: "agents-extract",
  path: "/v2/agents/extract",
  contract: 15,
  summary: "Extract agents from a file",
  description:
    "Extract draft agents from a file of tasks; the file becomes a knowledge source of the workspace, or of an organization.",
  grants: ["table:read", "table:write", "file:read", "file:list", "file:write", "queue:ingest"],
  data: z
    .object({
      fileBase64: optional(
        z
          .string(mustBeString)
          .check(
            z.minLength(1, { error: mustNotBeEmpty, abort: true }),
            z.regex(/\S/, { error: "Must not be white space only.", abort: true }),
            mustHaveNo(problemOfFile),
            z.describe("The file in base64, at most 5 MB after decoding. A deployment on AWS takes 4.4 MB in a call."),
          ),
      ),
      uploadId: optional(
        Text.check(z.describe("In place of `fileBase64`: the id from agents/uploads/create, for a larger file.")),
      ),
      organizationId: optional(
        OrganizationId.check(
          z.describe("The organization whose questions use the file. Default: only questions of the workspace use it."),
        ),
      ),
      mimeType: FileType,
      provider: optional(
        Text.check(
          z.describe("openai, anthropic (or claude) or gemini (or google). Default: the workspace's default provider."),
        ),
      ),
      fileName: optional(
        Text.check(
          z.maxLength(1_024, mustHaveAtMostCharacters(1_024)),
          z.describe("Stored with the knowledge source."),
        ),
      ),
    })
    .check(
      z.refine(({ fileBase64, uploadId }) => fileBase64 !== undefined || uploadId !== undefined, {
        error: "Is required, or uploadId.",
        path: ["fileBase64"],
        when: whenValid("fileBase64", "uploadId"),
      }),
      z.refine(({ fileBase64, uploadId }) => fileBase64 === undefined || uploadId === undefined, {
        error: "Give either fileBase64 or uploadId.",
        path: ["uploadId"],
        when: whenValid("fileBase64", "uploadId"),
      }),
      sent.check,
    ),
  example: { fileBase64: "VGFzayxPd25lcgpDaGVjayB0aGUgdGl0bGUuLFFBCg==", mimeType: "text/csv", fileName: "tasks.csv" },
  reply: z.object({ extractionResult: ExtractionResult.check(z.describe("What was found in the file.")) }),
  message: "Agents extracted.",
  memoryMb: 1_024,
  timeoutSeconds: 28,

  async handle({ data, caller: { workspace } }) {
    const until = Date.now() + config.ingestBudgetSeconds() * 1_000;
    const { bytes, kind } = sent.of(data) ?? (await uploaded({ workspace }, data));
    const vendor = data.provider === undefined ? undefined : vendorNamed(data.provider);
    if (data.provider !== undefined && !vendor) {
      throw new ApiError("INTERNAL", "The provider is unknown.", { isExpected: true });
    }
    const life = data.organizationId === undefined ? {} : await lifeOf(workspace, data.organizationId);
    const fingerprint = IngestRun.fingerprintOf(bytes, kind, vendor, life.organizationUid);
    const run = await IngestRun.get({ workspace }, fingerprint);
    const sourceId = Knowledge.sourceIdOf(bytes, kind, life.organizationUid);
    const isNew = !IngestRun.isReusable(run) || (await isSourceDeleted({ workspace }, run, sourceId));
    if (!isNew && run?.state === "completed") return resultOf({ workspace }, run);
    const { mimeType, fileName } = data;
    const asked = { runId: randomUUID(), fingerprint, mimeType, vendor, ...life, ...(fileName && { fileName }) };
    const answersOf = run?.state === "failed" ? (run.answersOf ?? run.runId) : undefined;
    const begun = { state: "running" as const, startedAt: Date.now(), vendorCalls: 0 };
    const fresh = { ...asked, ...begun, ...(answersOf && { answersOf }) };
    const nextPause = pauses(until);
    const slot = isNew ? await WaitingSlot.hold({ workspace }, "extraction", fresh.runId, slotMs) : undefined;
    if (slot && (await start(slot, fresh, run, bytes)))
      return resultOf({ workspace }, await endOf({ workspace }, fingerprint, nextPause));
    return inSlot({ workspace }, "extractionCall", async () => {
      if (isNew && !slot) await start(await slotFor({ workspace }, fresh.runId, slotMs, nextPause), fresh, run, bytes);
      return resultOf({ workspace }, await endOf({ workspace }, fingerprint, nextPause));
    });
  },
});
export const handler = lambda(agentsExtract);

async function lifeOf(workspace: string, organizationId: string): Promise<Partial<OrganizationLife>> {
  const { organizationUid } = await requireOrganization({ workspace, organizationId });
  return { organizationId, organizationUid };
}

async function uploaded(
  ref: WorkspaceRef,
  { uploadId = "", mimeType }: { uploadId?: string | undefined; mimeType: string },
) {
  return fileOf(await Uploads.bytesOf(ref, uploadId), mimeType, "uploadId");
}

/**
 * Stores the file and starts the run in its slot. Returns false when another call has started a run for this file. The
 * slot is released when no run has started. If that is unknown, the slot is free when its lease ends.
 */
async function start(
  slot: WaitingSlot.Held,
  run: IngestRun.IngestRun,
  former: IngestRun.IngestRun | undefined,
  bytes: Buffer,
): Promise<boolean> {
  await Blob.put(slot, run.fingerprint, bytes).catch(async (cause) => {
    await releaseSafely(slot);
    throw cause;
  });
  const outcome = await startRun(slot, run, former);
  if (outcome === "taken by another call") await releaseSafely(slot);
  if (outcome !== "unsent") return outcome === "started";
  throw new ApiError(
    "UNAVAILABLE",
    "The queue is not available, so the run starts later. Send the same file again to get its result.",
  );
}

/** The reply of a run that has ended. */
async function resultOf({ workspace }: WorkspaceRef, { runId, failure }: IngestRun.IngestRun) {
  const extractionResult = failure ? undefined : await RunFiles.result.read({ workspace, runId });
  if (extractionResult) return { extractionResult };
  const { status, message, isExpected } = failure ?? fileExpired.failure;
  throw new ApiError(status, message, { isExpected });
}

/** Whether the knowledge source of a completed run was deleted since. A new run then stores it again. */
async function isSourceDeleted(ref: WorkspaceRef, { state }: IngestRun.IngestRun, sourceId: string): Promise<boolean> {
  if (state !== "completed") return false;
  const [source] = await Knowledge.getMany(ref, [sourceId]);
  return source === undefined;
}
