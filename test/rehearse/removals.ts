// Takes permissions from the roles of endpoints, and looks whether the endpoints are denied them.
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { isOf, without } from "./aws/labels.ts";
import type { Statement } from "./aws/policy.ts";
import { changeRole, firstDenied, newSession } from "./aws/session.ts";
import { callAll, rehearseCalls } from "./calls.ts";
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

/** The removals that no function has missed. */
export function survivors(removals: readonly Removal[]): string[] {
  return removals.filter(({ isDenied }) => !isDenied).map(({ name, permission }) => `${name} without ${permission}`);
}
