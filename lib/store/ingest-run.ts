// One extraction of one file. Its key is what was asked, so that the same file asked for again finds the run.
import { hash } from "node:crypto";
import type { ErrorStatus } from "../errors.ts";
import { newJob } from "../jobs.ts";
import type { AiVendor } from "../schema/setting-names.ts";
import { commit } from "./commit.ts";
import { keys } from "./keys.ts";
import * as Table from "./table.ts";

export interface IngestRun {
  runId: string;
  fingerprint: string;
  state: "running" | "completed" | "failed";
  /** Milliseconds since the epoch. */
  startedAt: number;
  mimeType: string;
  fileName?: string | undefined;
  vendor?: AiVendor | undefined;
  /** Calls to the vendor, each counted before it starts. */
  vendorCalls: number;
  /** Of a completed run: the extraction's result as JSON. */
  result?: string;
  /** Of a failed one: what its caller is answered. */
  failure?: { status: ErrorStatus; message: string };
}

/** A run is found again for 24 hours, and kept for 30 days (decisions I3 and S2). */
const foundMs = 24 * 3_600_000;
const keptSeconds = 30 * 24 * 3_600;

export function fingerprintOf(bytes: Buffer, kind: string, vendor: AiVendor | undefined): string {
  return hash("sha256", Buffer.concat([bytes, Buffer.from(`\n${kind}\n${vendor ?? ""}`)]), "base64url");
}

/** Where a run's file lies in the bucket. */
export const blobKeyOf = (workspace: string, runId: string) => `${hash("sha256", workspace, "hex")}/${runId}`;

export async function get(workspace: string, fingerprint: string): Promise<IngestRun | undefined> {
  return Table.get<IngestRun>(keys.ingestRun(workspace, fingerprint));
}

/** Whether this run answers for the same file sent again. */
export const answersAgain = (run: IngestRun | undefined): run is IngestRun =>
  run !== undefined && run.state !== "failed" && run.startedAt > Date.now() - foundMs;

/**
 * Starts a run with its job, in place of `old`; `isQueued` is false where the queue did not take the job, which is then
 * found by the sweeper. Undefined: another call has started one.
 */
export async function start(workspace: string, run: IngestRun, old: IngestRun | undefined) {
  let isQueued = true;
  const ttl = Math.floor(Date.now() / 1_000) + keptSeconds;
  const put = { ...keys.ingestRun(workspace, run.fingerprint), ...run, ttl };
  const isStarted = await commit([{ put, if: old ? { runId: old.runId } : "absent" }], {
    jobs: [newJob("ingest", workspace, { fingerprint: run.fingerprint, runId: run.runId })],
    onUnsent: () => {
      isQueued = false;
    },
  });
  return isStarted ? { isQueued } : undefined;
}

/** Writes to a run that still runs. False: it has ended, or another took its place. */
export async function update(
  workspace: string,
  { fingerprint, runId }: Pick<IngestRun, "fingerprint" | "runId">,
  set: Partial<Pick<IngestRun, "state" | "vendorCalls" | "result" | "failure">>,
): Promise<boolean> {
  const isRunning = { runId, state: "running" };
  return commit([{ update: keys.ingestRun(workspace, fingerprint), set, if: isRunning }]);
}
