// The calls of an endpoint in a rehearsal: its example and the requests that use the rest of its grants.
import { catchAllPath } from "../../infra/deployables.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { type EventType, eventTypes } from "../../lib/schema/events.ts";
import { type AiVendor, aiVendors } from "../../lib/schema/setting-names.ts";
import {
  differsWithoutEvents,
  pathParametersFor,
  requestsFor,
  workspaceFor,
} from "../support/contract/grant-requests.ts";
import type { Statement } from "./aws/policy.ts";
import type { Sent } from "./events.ts";
import { startModel } from "./model.ts";
import type { Rehearsal, Started } from "./rehearsal.ts";
import { type Row, rowOf } from "./report.ts";
import type { Run } from "./runtime/process.ts";

/** A container books the calls of a workspace once in so many, so an endpoint that only reads writes at the last. */
const callsBooked = 10;
/** By then, a container has forgotten the data key of a stored reply, and must unseal it to return the reply again. */
const replayLaterMs = 6 * 60_000;

/** Further requests, which need a model. */
const more: Record<string, Record<string, unknown>[]> = {
  "ask-ai": ["claude-haiku-4-5", "gemini-2.5-flash"].map((model) => ({ model, prompt: "Shorten.", text: "A text." })),
  // Without an organization, the knowledge of the workspace is searched. It has records about a title.
  "memory-ask": [{ question: "Must I check the title?" }],
};

/** The workspaces in which the endpoint is called: it calls AWS in another way in each. */
interface Scene {
  wantedEvents?: readonly EventType[];
  /** The workspace has a model, by default of this vendor. */
  vendor?: AiVendor;
}

const scenes: Record<string, Scene[]> = {
  "ask-ai": [{ vendor: "openai" }],
  "memory-ask": aiVendors.map((vendor) => ({ vendor })),
  ...Object.fromEntries(differsWithoutEvents.map((name) => [name, [{}, { wantedEvents: [] }]])),
};

/** Calls the endpoint, with its own role or another one. */
export async function rehearseCalls(
  rehearsal: Rehearsal,
  endpoint: Endpoint,
  role?: readonly Statement[],
): Promise<Row> {
  const started = await rehearsal.start(endpoint.name, role);
  try {
    const runs = await callAll(rehearsal, endpoint, started);
    return rowOf(rehearsal.function(endpoint.name), started, runs, runs.flatMap(problemsOf(endpoint)));
  } finally {
    await started.process.end();
  }
}

/** Makes all calls, in new workspaces. Repeats a call for which the role got a permission back. */
export async function callAll(rehearsal: Rehearsal, endpoint: Endpoint, started: Started): Promise<Run[]> {
  const { session } = started;
  const runs: Run[] = [];
  for (const { wantedEvents = eventTypes, vendor } of scenes[endpoint.name] ?? [{}]) {
    const as = await workspaceFor(endpoint, wantedEvents);
    const model = vendor && (await startModel(as.apiKey, vendor));
    const all = [...requestsFor(endpoint), ...(more[endpoint.name] ?? [])];
    const parameters = await pathParametersFor(endpoint, as);
    const sent = all.map(
      (data, index): Sent => ({ as, data, parameters, headers: { "idempotency-key": `key-${index}` } }),
    );
    try {
      for (const each of callsOf(endpoint, sent)) {
        let before: number;
        do {
          before = session.role.length;
          runs.push(await rehearsal.call(endpoint, started, each.sent, each.laterMs));
        } while (session.role.length > before);
      }
    } finally {
      model?.close();
    }
  }
  return runs;
}

/** The requests, and repetitions of the first one: a reply that is stored, or as many calls as are booked at once. */
function callsOf({ isWrite }: Endpoint, all: Sent[]): { sent: Sent; laterMs: number }[] {
  const calls = all.map((sent) => ({ sent, laterMs: 0 }));
  const [first] = calls as [(typeof calls)[0]];
  if (isWrite) return [...calls, { ...first, laterMs: replayLaterMs }];
  return [...calls, ...Array<typeof first>(Math.max(0, callsBooked - calls.length)).fill(first)];
}

/** What is wrong with a reply. */
export function problemsOf({ path }: Endpoint) {
  const expected = path === catchAllPath ? 404 : 200;
  return ({ result }: Run): string[] => {
    if (result === undefined) return []; // An error of Lambda, which the row has.
    const { statusCode, body } = result as { statusCode: number; body: string };
    // `ask-ai` reports a failed model with status 200.
    const isFailed = statusCode !== expected || body.startsWith('{"result":{"success":false');
    return isFailed ? [`HTTP ${statusCode}: ${body.slice(0, 300)}`] : [];
  };
}
