// Takes permissions from the roles of all workers at once. Their jobs are tried again after a denial.
import { workers } from "../../infra/deployables.ts";
import { namesOf } from "./aws/labels.ts";
import { rehearseJobs } from "./jobs.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { remove, type Taken } from "./removals.ts";
import type { Removal } from "./report.ts";

type Say = (line: string) => Promise<unknown>;

/** Takes every permission that a worker uses. `say`: tells the progress, since a run of all jobs takes half a minute. */
export async function removeFromWorkers(rehearsal: Rehearsal, say: Say): Promise<Removal[]> {
  const used = await usedPermissions(rehearsal, say);
  return remove(used, async (taken) => {
    const [first] = taken;
    const what = taken.length === 1 ? `${first?.permission} of ${first?.name}` : `${taken.length} permissions`;
    await say(`All jobs run: without ${what}, until a request is denied.`);
    const byWorker = Map.groupBy(taken, ({ name }) => name);
    const names = [...byWorker].map(([name, each]) => [name, each.map(({ permission }) => permission)] as const);
    const rows = await rehearseJobs(rehearsal, new Map(names));
    const missed = new Map(rows.map((row) => [row.name, row.missed]));
    return taken.filter(({ name, permission }) => !missed.get(name)?.includes(permission));
  });
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
