// Takes permissions from the role of an endpoint.
import type { Endpoint } from "../../lib/http/endpoint.ts";
import type { Session } from "./aws/session.ts";
import { callAll } from "./calls.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { remove } from "./removals.ts";
import type { Removal } from "./report.ts";

/** Takes every permission that the endpoint's calls use. */
export async function removeFromEndpoint(rehearsal: Rehearsal, endpoint: Endpoint): Promise<Removal[]> {
  const { name } = endpoint;
  const { used } = await sessionOf(rehearsal, endpoint, []);
  const all = [...used].map((permission) => ({ name, permission }));
  return remove(all, async (taken) => {
    const names = taken.map(({ permission }) => permission);
    const { missed } = await sessionOf(rehearsal, endpoint, names);
    return taken.filter(({ permission }) => !missed.has(permission));
  });
}

/** A new process makes all calls: a function also reads while it starts. */
async function sessionOf(rehearsal: Rehearsal, endpoint: Endpoint, taken: readonly string[]): Promise<Session> {
  const started = await rehearsal.start(endpoint.name, undefined, taken);
  try {
    await callAll(rehearsal, endpoint, started);
    return started.session;
  } finally {
    await started.process.end();
  }
}
