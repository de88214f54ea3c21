// Takes permissions from the roles of workers. A worker gets each back when it was denied it, and tries its job again.
// So one run of all jobs shows nearly all permissions that are missed.
import { workers } from "../../infra/deployables.ts";
import { namesOf } from "./aws/labels.ts";
import { rehearseJobs } from "./jobs.ts";
import type { Rehearsal } from "./rehearsal.ts";
import type { Removal } from "./report.ts";

type Say = (line: string) => Promise<unknown>;
type Taken = Omit<Removal, "isDenied">;

/** Takes every permission that a worker uses. `say`: tells the progress, since a run of all jobs takes half a minute. */
export async function removeFromWorkers(rehearsal: Rehearsal, say: Say): Promise<Removal[]> {
  const used = await usedPermissions(rehearsal, say);
  let left = used;
  let before: number;
  do {
    before = left.length;
    left = await notMissed(rehearsal, left, say);
  } while (left.length > 0 && left.length < before);
  // What came back together with another permission, or what a failed job did not reach.
  const alone = await Array.fromAsync(left, (each) => notMissed(rehearsal, [each], say));
  const survived = new Set(alone.flat());
  return used.map((each) => ({ ...each, isDenied: !survived.has(each) }));
}

async function usedPermissions(rehearsal: Rehearsal, say: Say): Promise<Taken[]> {
  await say(`All jobs run: the ${workers.length} workers have their whole roles.`);
  const rows = await rehearseJobs(rehearsal);
  return workers.flatMap(({ name }) => {
    const unused = rows.find((row) => row.name === name)?.unused ?? [];
    const used = namesOf(rehearsal.function(name).role).filter((permission) => !unused.includes(permission));
    return used.map((permission) => ({ name, permission }));
  });
}

/** Runs all jobs without these permissions. Returns those that no worker was denied. */
async function notMissed(rehearsal: Rehearsal, taken: readonly Taken[], say: Say): Promise<Taken[]> {
  const [first] = taken;
  const what = taken.length === 1 ? `${first?.permission} of ${first?.name}` : `${taken.length} permissions`;
  await say(`All jobs run: without ${what}, until a request is denied.`);
  const byWorker = Map.groupBy(taken, ({ name }) => name);
  const names = [...byWorker].map(([name, each]) => [name, each.map(({ permission }) => permission)] as const);
  const rows = await rehearseJobs(rehearsal, new Map(names));
  const missed = new Map(rows.map((row) => [row.name, row.missed]));
  return taken.filter(({ name, permission }) => !missed.get(name)?.includes(permission));
}
