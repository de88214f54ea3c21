// The calls of an endpoint in a rehearsal: its example and the requests that use the rest of its grants.
import { startDemoAi } from "../../infra/local/demo-ai.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { requestsFor, workspaceFor } from "../support/contract/grant-requests.ts";
import type { Credentials } from "../support/event.ts";
import type { Statement } from "./aws/policy.ts";
import type { Rehearsal, Started } from "./rehearsal.ts";
import { type Row, rowOf } from "./report.ts";
import type { Run } from "./runtime/process.ts";

/** A container books the calls of a workspace once in so many, so an endpoint that only reads writes at the last. */
const callsBooked = 10;

const callsModel = ["ask-ai", "memory-ask"];

/** Calls the endpoint, with its own role or another one. */
export async function rehearseCalls(rehearsal: Rehearsal, endpoint: Endpoint, role?: Statement[]): Promise<Row> {
  const as = await workspaceFor(endpoint);
  const model = callsModel.includes(endpoint.name) ? await startDemoAi(as.apiKey) : undefined;
  const sent = await sendAll(rehearsal, endpoint, as, role).finally(() => model?.close());
  const { first, runs, started } = sent;
  const sessions = started.map(({ session }) => session);
  const row = rowOf(rehearsal.function(endpoint.name), sessions, first, runs, runs.flatMap(problemsOf(endpoint)));
  await Promise.all(started.map(({ process }) => process.end()));
  return row;
}

async function sendAll(rehearsal: Rehearsal, endpoint: Endpoint, as: Credentials, role?: Statement[]) {
  const all = requestsFor(endpoint).map((data, index) => ({
    as,
    data,
    headers: { "idempotency-key": `key-${index}` },
  }));
  const [example] = all as [(typeof all)[0]];
  const calls = endpoint.isWrite ? all : [...all, ...Array(callsBooked - all.length).fill(example)];
  const first = await rehearsal.start(endpoint.name, role);
  const runs: Run[] = [];
  for (const each of calls) runs.push(await rehearsal.call(endpoint, first, each));
  const started: Started[] = [first];
  if (endpoint.isWrite) {
    // A new container has no data key, so it must unseal the stored reply.
    const second = await rehearsal.start(endpoint.name, role);
    started.push(second);
    runs.push(await rehearsal.call(endpoint, second, example));
  }
  return { first, runs, started };
}

function problemsOf({ group }: Endpoint) {
  const expected = group === "fallback" ? 404 : 200;
  return ({ result }: Run): string[] => {
    if (result === undefined) return []; // An error of Lambda, which the row has.
    const { statusCode, body } = result as { statusCode: number; body: string };
    return statusCode === expected ? [] : [`HTTP ${statusCode}: ${body.slice(0, 300)}`];
  };
}
