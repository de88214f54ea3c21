// One extraction of one file. Its key is a hash of the file and the request, so a repeated request finds the run.
import { hash } from "node:crypto";
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import type { Write } from "../../dynamodb/write.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import type { ErrorStatus } from "../../errors.ts";
import { ttlAfter } from "../../retention.ts";
import type { AiVendor } from "../../schema/setting-names.ts";
import type { OrganizationLife } from "../content/organization-life.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";

/** The organization is that of its knowledge source. */
export interface IngestRun extends Partial<OrganizationLife> {
  runId: string;
  /** The hash of the file and the request. It is also the name of the stored file. */
  fingerprint: string;
  state: "running" | "completed" | "failed";
  /** Milliseconds since the epoch. */
  startedAt: number;
  mimeType: string;
  fileName?: string | undefined;
  vendor?: AiVendor | undefined;
  /** The number of calls to the vendor. Each is counted before it starts. */
  vendorCalls: number;
  /** The failed run that it follows, under whose id answers of models are stored. */
  answersOf?: string;
  /** The error of a failed run, for its caller. */
  failure?: RunFailure;
}

/** `isExpected`: the outcome of this file or of the model, not a fault of the service. */
export type RunFailure = { status: ErrorStatus; message: string; isExpected: boolean };
/** Empty: the run is completed, and its result is stored (`ingest/run-files.ts`). */
export type RunResult = { failure?: RunFailure };

export const ingestRunEntity = entity<IngestRun & { ttl: number }>()({
  name: "ingest-run",
  attributes: [
    "runId",
    "fingerprint",
    "state",
    "startedAt",
    "mimeType",
    "organizationId",
    "organizationUid",
    "fileName",
    "vendor",
    "vendorCalls",
    "answersOf",
    "failure",
    "ttl",
  ],
  pk: (ref: WorkspaceRef, shard) => `${workspacePartition(ref)}#RUNS#${shard}`,
  sk: ({ fingerprint }: Pick<IngestRun, "fingerprint">) => fingerprint,
  shardBy: ({ fingerprint }) => fingerprint,
});

/** How long a repeated request finds the run (DECISIONS.md#extraction-runs). */
const foundMs = 24 * 3_600_000;

/** A later life of an organization does not find the runs of an earlier one. */
export function fingerprintOf(
  bytes: Buffer,
  kind: string,
  vendor: AiVendor | undefined,
  organizationUid?: string,
): string {
  const request = [kind, vendor ?? "", ...(organizationUid === undefined ? [] : [organizationUid])].join("\n");
  return hash("sha256", Buffer.concat([bytes, Buffer.from(`\n${request}`)]), "base64url");
}

export async function get({ workspace }: WorkspaceRef, fingerprint: string): Promise<IngestRun | undefined> {
  return Table.get<IngestRun>(ingestRunEntity.key({ workspace, fingerprint }));
}

/** Whether a repeated request gets this run's result. */
export const isReusable = (run: IngestRun | undefined): run is IngestRun =>
  run !== undefined && run.state !== "failed" && run.startedAt > Date.now() - foundMs;

/** The write that replaces `old` with a new run. */
export function starting({ workspace }: WorkspaceRef, run: IngestRun, old: IngestRun | undefined): Write {
  const item = { ...run, ttl: ttlAfter("ingestRun") };
  return ingestRunEntity.put({ workspace, fingerprint: run.fingerprint }, item, old ? { runId: old.runId } : "absent");
}

/**
 * Counts a call to the vendor before it starts. Returns false when the run has ended, or another worker has counted a
 * call meanwhile.
 */
export async function countCall(
  { workspace }: WorkspaceRef,
  { fingerprint, runId, vendorCalls }: IngestRun,
): Promise<boolean> {
  const unchanged = { runId, state: "running", vendorCalls };
  const set = { vendorCalls: vendorCalls + 1 };
  return writeAll([ingestRunEntity.update({ workspace, fingerprint }, { set }, unchanged)]);
}

/** Ends a run, unless it has ended or another run replaced it. */
export async function end(
  { workspace }: WorkspaceRef,
  { fingerprint, runId }: Pick<IngestRun, "fingerprint" | "runId">,
  result: RunResult,
): Promise<void> {
  const state = result.failure ? "failed" : "completed";
  const set = { ...result, state, ttl: ttlAfter("ingestRun") } as const;
  await writeAll([ingestRunEntity.update({ workspace, fingerprint }, { set }, { runId, state: "running" })]);
}
