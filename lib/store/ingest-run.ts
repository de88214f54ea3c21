// One extraction of one file. Its key is what was asked, so that the same file asked for again finds the run.
import { hash } from "node:crypto";
import * as Table from "../dynamodb/table.ts";
import type { ErrorStatus } from "../errors.ts";
import { commit } from "../jobs/commit.ts";
import { newJob } from "../jobs/queue.ts";
import { ttlAfter } from "../retention.ts";
import type { AiVendor } from "../schema/setting-names.ts";
import { keys } from "./keys.ts";

export interface IngestRun {
  runId: string;
  /** Of what was asked; also the file's name in the store of files. */
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
  failure?: Failure;
}

export type Failure = { status: ErrorStatus; message: string };

/** A run is found again for so long (decision I3). */
const foundMs = 24 * 3_600_000;

export function fingerprintOf(bytes: Buffer, kind: string, vendor: AiVendor | undefined): string {
  return hash("sha256", Buffer.concat([bytes, Buffer.from(`\n${kind}\n${vendor ?? ""}`)]), "base64url");
}

export async function get(workspace: string, fingerprint: string): Promise<IngestRun | undefined> {
  return Table.get<IngestRun>(keys.ingestRun(workspace, fingerprint));
}

/** Whether this run answers for the same file sent again. */
export const answersAgain = (run: IngestRun | undefined): run is IngestRun =>
  run !== undefined && run.state !== "failed" && run.startedAt > Date.now() - foundMs;

/** A new run with its job, in place of `old`. "unsent": the queue did not take the job, and the sweeper will find it. */
export async function start(
  workspace: string,
  run: IngestRun,
  old: IngestRun | undefined,
): Promise<"started" | "unsent" | "taken by another call"> {
  let isSent = true;
  const put = { ...keys.ingestRun(workspace, run.fingerprint), ...run, ttl: ttlAfter("ingestRun") };
  const isStarted = await commit([{ put, if: old ? { runId: old.runId } : "absent" }], {
    jobs: [newJob("ingest", workspace, { fingerprint: run.fingerprint, runId: run.runId })],
    onUnsent: () => {
      isSent = false;
    },
  });
  return isStarted ? (isSent ? "started" : "unsent") : "taken by another call";
}

/** Counts a call to the vendor that is about to start. False: the run has ended, or another worker has counted one. */
export async function countCall(workspace: string, { fingerprint, runId, vendorCalls }: IngestRun): Promise<boolean> {
  const unchanged = { runId, state: "running", vendorCalls };
  const set = { vendorCalls: vendorCalls + 1 };
  return commit([{ update: keys.ingestRun(workspace, fingerprint), set, if: unchanged }]);
}

/** Ends a run, unless it has ended or another took its place. */
export async function end(
  workspace: string,
  { fingerprint, runId }: Pick<IngestRun, "fingerprint" | "runId">,
  outcome: { result: string } | { failure: Failure },
): Promise<void> {
  const state = "result" in outcome ? "completed" : "failed";
  const set = { ...outcome, state, ttl: ttlAfter("ingestRun") };
  await commit([{ update: keys.ingestRun(workspace, fingerprint), set, if: { runId, state: "running" } }]);
}
