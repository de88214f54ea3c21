// Takes permissions from roles, and looks whether the functions are denied them.
import { workers } from "../../infra/deployables.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { isOf, nameOf, without } from "./aws/labels.ts";
import type { Statement } from "./aws/policy.ts";
import { changeRole, firstDenied, newSession } from "./aws/session.ts";
import { callAll, rehearseCalls } from "./calls.ts";
import { rehearseJobs } from "./jobs.ts";
import type { Rehearsal, Started } from "./rehearsal.ts";
import type { Removal } from "./report.ts";

/** Takes each permission in turn that the endpoint's calls use. */
export async function removeEach(rehearsal: Rehearsal, endpoint: Endpoint): Promise<Removal[]> {
  const { name } = endpoint;
  const started = await rehearsal.start(name);
  try {
    await callAll(rehearsal, endpoint, started);
    const removals: Removal[] = [];
    for (const permission of [...started.session.used]) {
      removals.push({ name, permission, isDenied: await isMissed(rehearsal, endpoint, started, permission) });
    }
    return removals;
  } finally {
    await started.process.end();
  }
}

/** Whether the endpoint is denied the permission when its role lacks it. */
async function isMissed(rehearsal: Rehearsal, endpoint: Endpoint, started: Started, permission: string) {
  const less = without(rehearsal.function(endpoint.name).role, permission);
  if (isDenied(ofLambda(rehearsal, endpoint.name, less), permission)) return true;
  // One process is enough for most: what it remembers belongs to workspaces, and the calls have a new one.
  const { session } = started;
  changeRole(session, less);
  await callAll(rehearsal, endpoint, started, () => session.denials.size > 0);
  if (isDenied(session.denials, permission)) return true;
  // A function also reads while it starts.
  return isDenied((await rehearseCalls(rehearsal, endpoint, less)).denials, permission);
}

const isDenied = (denials: Iterable<string>, permission: string) => [...denials].some((each) => isOf(permission, each));

/** What Lambda itself is denied with the role. */
function ofLambda(rehearsal: Rehearsal, name: string, role: readonly Statement[]): Set<string> {
  const session = newSession(name, role);
  firstDenied(session, rehearsal.needsOfLambda(name));
  return session.denials;
}

/**
 * Takes each permission in turn that a worker uses. A run of all jobs takes one permission from every worker. A worker
 * that got no job then, because another one failed, runs again while all others have their whole roles.
 */
export async function removeFromWorkers(rehearsal: Rehearsal): Promise<Removal[]> {
  const whole = await rehearseJobs(rehearsal);
  const removals: Removal[] = [];
  const left = new Map<string, string[]>();
  for (const { name } of workers) {
    const { role } = rehearsal.function(name);
    const unused = whole.find((row) => row.name === name)?.unused ?? [];
    const used = role.map(nameOf).filter((permission) => !unused.includes(permission));
    const denied = used.map((permission) => isDenied(ofLambda(rehearsal, name, without(role, permission)), permission));
    removals.push(
      ...used.filter((_, index) => denied[index]).map((permission) => ({ name, permission, isDenied: true })),
    );
    left.set(
      name,
      used.filter((_, index) => !denied[index]),
    );
  }
  const remaining: Removal[] = [];
  const rounds = Math.max(...[...left.values()].map(({ length }) => length));
  for (let round = 0; round < rounds; round++) {
    const taken = [...left].flatMap(([name, permissions]) => (permissions[round] ? [[name, permissions[round]]] : []));
    remaining.push(...(await runWithout(rehearsal, taken as [string, string][])));
  }
  for (const each of remaining.filter((removal) => !removal.isDenied)) {
    removals.push(...(await runWithout(rehearsal, [[each.name, each.permission]])));
  }
  return [...removals, ...remaining.filter((removal) => removal.isDenied)];
}

/** Runs all jobs while each of these workers lacks a permission. */
async function runWithout(
  rehearsal: Rehearsal,
  taken: readonly [name: string, permission: string][],
): Promise<Removal[]> {
  const roles = taken.map(([name, permission]) => [name, without(rehearsal.function(name).role, permission)]);
  const rows = await rehearseJobs(rehearsal, Object.fromEntries(roles));
  return taken.map(([name, permission]) => {
    const denials = rows.find((row) => row.name === name)?.denials ?? [];
    return { name, permission, isDenied: isDenied(denials, permission) };
  });
}

/** The removals that no function has missed. */
export function survivors(removals: readonly Removal[]): string[] {
  return removals.filter(({ isDenied }) => !isDenied).map(({ name, permission }) => `${name} without ${permission}`);
}
