// Random sequences of calls, with the workers at random times, compared with a model in memory.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { workers } from "../../infra/deployables.ts";
import * as JobStore from "../../lib/jobs/store.ts";
import type { QueueWorker } from "../../lib/jobs/worker.ts";
import type { DueJob } from "../../lib/store/job.ts";
import { dieBeforeCall } from "../support/aws/edge.ts";
import type { Credentials } from "../support/call.ts";
import { casesOf } from "../support/long.ts";
import { Model } from "../support/model.ts";
import fc from "../support/property.ts";
import { deliver } from "../support/run-worker.ts";
import { itemsOf, openJobs } from "../support/scan.ts";
import { newOrganization } from "../support/workspace.ts";
import { calls } from "./calls.ts";
import { read, readModel, remains, remainsOfModel } from "./readings.ts";
import { aimed, type Step, start, step } from "./steps.ts";

const workerOf = (kind: string) => workers.find((each) => each.kind === "queue" && each.jobs === kind) as QueueWorker;
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
/** Longer than every delay and every lease of a job. */
const recoveryMs = 100_000;
const recoveriesMax = 15;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The jobs of the workspace that are due at the time `by`, in the order of their due times. */
async function jobsOf({ apiKey }: Credentials, by: number): Promise<DueJob[]> {
  const isDue = ({ workspace, state, dueAt }: DueJob) => workspace === apiKey && state !== "failed" && dueAt <= by;
  return (await openJobs()).filter(isDue).sort((one, other) => one.dueAt - other.dueAt);
}

/** Runs the due jobs one after the other. */
async function work(
  as: Credentials,
  model: Model,
  { isShort, deathAt }: { isShort: boolean; deathAt?: number | undefined },
) {
  for (const { id, kind } of await jobsOf(as, Date.now())) {
    const { payload } = (await JobStore.get(id)) as { payload: Record<string, string> };
    const isKilled = kind === "purge" && deathAt !== undefined;
    if (isKilled) dieBeforeCall(deathAt);
    const failed = await deliver(workerOf(kind), [id], isShort ? 5_000 : 60_000);
    vi.restoreAllMocks();
    if (!isKilled) expect(failed).toEqual([]);
    const note = model.notes.find(({ at }) => kind === "notify" && at === payload.at);
    const migration = model.migrations.get(payload.migrationId ?? "");
    if (note) model.fanOut(note, isShort);
    if (migration) model.migrate(migration);
  }
}

async function take(as: Credentials, model: Model, any: Step): Promise<void> {
  const step = aimed(model, any);
  // No two steps have the same time.
  later(1);
  if (step.do !== "work") {
    const [result, expected] = await calls[step.do](as, model, step as never);
    expect(result, step.do).toEqual(expected);
    return;
  }
  later(step.seconds * 1_000);
  await work(as, model, step);
}

/** Runs workers until no job is left. */
async function settle(as: Credentials, model: Model): Promise<void> {
  for (let rounds = 0; (await jobsOf(as, Date.now() + recoveryMs)).length > 0; rounds++) {
    if (rounds === recoveriesMax) expect.fail("A job is stuck.");
    later(recoveryMs);
    await work(as, model, { isShort: false });
  }
}

it("the service returns what the model returns, and stores nothing that the model does not have", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (all) => {
      const [as, model] = [await newOrganization(), new Model()];
      for (const each of start) await take(as, model, each);
      for (const each of all) await take(as, model, each);
      expect(await read(as)).toEqual(readModel(model));
      await settle(as, model);
      expect(await read(as)).toEqual(readModel(model));
      expect(remains(as.apiKey, await itemsOf(as.apiKey))).toEqual(remainsOfModel(model));
    }),
    casesOf(14),
  );
});
