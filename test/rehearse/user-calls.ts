// The calls of a user and of pages, for an endpoint that a user's token opens.
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { markedFields } from "../../lib/schema/for-users.ts";
import * as Setting from "../../lib/store/setting.ts";
import { must } from "../support/call.ts";
import { workspaceFor } from "../support/contract/grant-requests.ts";
import { dataOf, named } from "../support/contract/requests.ts";
import type { Rehearsal, Started } from "./rehearsal.ts";

/** What a step of the rehearsal got. */
export interface Answer {
  status: number;
  /** The failure, if any. */
  message: string | undefined;
  /** The origin whose pages may read the reply. */
  readableBy: string | undefined;
  /** Permissions of the role that the step was the first to use. */
  used: string[];
}

const origin = "https://app.example.com";
const foreignOrigin = "https://foreign.example";

/** Calls as Alice, who edits the document `plan`, from a page of an allowed domain and from another one. */
export async function rehearseUserCalls(rehearsal: Rehearsal, endpoint: Endpoint, started: Started) {
  const as = await workspaceFor(endpoint);
  await Setting.update({ workspace: as.apiKey }, "switches", { browser: true });
  await must(named("domains-add"), { as, data: { domains: [origin] } });
  await must(named("permissionproviderconfig-update"), { as, data: { usePermissionProvider: false } });
  const { token } = await must(named("token-generate"), { as, data: aliceEdits });
  const data = dataOf(endpoint);
  for (const { path } of markedFields(endpoint.data)) remove(data, path);

  const steps = {
    preflight: { method: "OPTIONS", keys: { origin: foreignOrigin, "access-control-request-method": "POST" } },
    token: { keys: { authorization: `Bearer ${token}` } },
    "allowed page": { keys: { authorization: `Bearer ${token}`, origin } },
    "foreign page": { keys: { authorization: `Bearer ${token}`, origin: foreignOrigin } },
  };
  const answers: Record<string, Answer> = {};
  for (const [step, sent] of Object.entries(steps)) {
    const before = new Set(started.session.used);
    // The page's call gets the reply of the one before.
    const headers = { "idempotency-key": "of-alice" };
    const { result, error } = await rehearsal.call(endpoint, started, { as, data, headers, ...sent });
    if (error) throw new Error(`${step}: ${error.message}`);
    const reply = result as { statusCode: number; headers: Record<string, string>; body: string };
    answers[step] = {
      status: reply.statusCode,
      message: reply.body ? JSON.parse(reply.body).error?.message : undefined,
      readableBy: reply.headers["access-control-allow-origin"],
      used: [...started.session.used].filter((each) => !before.has(each)),
    };
  }
  return answers;
}

const aliceEdits = {
  userId: "alice",
  userProperties: { name: "Alice", email: "alice@example.com" },
  permissions: { resources: [{ type: "document", id: "plan", organizationId: "acme" }] },
};

function remove(value: unknown, [name, ...rest]: readonly string[]): void {
  if (typeof value !== "object" || value === null || name === undefined) return;
  if (name === "*") for (const entry of Object.values(value)) remove(entry, rest);
  else if (rest.length === 0) delete (value as Record<string, unknown>)[name];
  else remove((value as Record<string, unknown>)[name], rest);
}
