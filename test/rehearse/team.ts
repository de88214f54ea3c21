// All workers of a workspace's jobs, each in one process.
import { workers } from "../../infra/deployables.ts";
import { jobKinds } from "../../lib/grants.ts";
import type { Credentials } from "../support/call.ts";
import type { Rehearsal, Started } from "./rehearsal.ts";
import type { Run } from "./runtime/process.ts";
import { Senders } from "./senders.ts";

/** Longer than the sweeper's grace and than the first pause of a job. */
const overdueMs = 20 * 60_000;
/** A run of the sweeper reads half of the partitions. Each half is read twice, because a job that is throttled waits. */
const sweepMinutes = 4;

export interface Team {
  rehearsal: Rehearsal;
  as: Credentials;
  /** By name. The workers of jobs have the names of their kinds. */
  workers: ReadonlyMap<string, Started>;
  senders: Senders;
  /** Runs the jobs of a workspace until no message is left. */
  runAll(workspace: string): Promise<void>;
  /** Delivers the next message of the workspace. */
  runNext(): Promise<void>;
  /** Lets the sweeper find all jobs that are overdue. Each time, more time has passed since the last one. */
  sweep(): Promise<void>;
  runsOf(worker: string): Run[];
  /** Whether one of these workers was denied something. */
  isDenied(...workers: string[]): boolean;
  end(): Promise<void>;
}

export async function startTeam(
  rehearsal: Rehearsal,
  as: Credentials,
  taken: ReadonlyMap<string, readonly string[]>,
): Promise<Team> {
  const runs: [worker: string, run: Run][] = [];
  const senders = new Senders(rehearsal, as);
  const names = workers.map(({ name }) => name);
  const started = await Promise.all(names.map((name) => rehearsal.start(name, undefined, taken.get(name))));
  const team = new Map(names.map((name, index) => [name, started[index] as Started]));
  // The first run of each worker throws, so each sends a message to its own queue.
  for (const kind of jobKinds) Object.assign(team.get(kind)?.session ?? {}, { isTableDown: true });
  let sweeps = 0;
  return {
    rehearsal,
    as,
    workers: team,
    senders,
    runsOf: (worker) => runs.flatMap(([name, run]) => (name === worker ? [run] : [])),
    isDenied: (...names) => names.some((name) => (team.get(name)?.session.denials.size ?? 0) > 0),
    async runAll(workspace) {
      runs.push(...(await rehearsal.runJobs(workspace, team)));
    },
    async runNext() {
      runs.push(...(await rehearsal.runNext(as.apiKey, team)));
    },
    async sweep() {
      sweeps += 1;
      rehearsal.clockOffsetMs += sweeps * overdueMs;
      for (let minute = 0; minute < sweepMinutes; minute++) {
        runs.push(["sweeper", await rehearsal.tick("sweeper", team.get("sweeper") as Started)]);
        rehearsal.clockOffsetMs += 60_000;
      }
    },
    async end() {
      await senders.end();
      await Promise.all([...team.values()].map(({ process }) => process.end()));
    },
  };
}
