// Calls whose costs are measured. All functions of this process share what they have cached.
import { expect } from "vitest";
import { tokenGenerate } from "../../../functions/user-tokens/token-generate.ts";
import { sourceOf } from "../../../infra/deployables.ts";
import { fill } from "../../../lib/browser/actor.ts";
import type { CallingUser, Endpoint } from "../../../lib/http/endpoint.ts";
import type { Handler } from "../../../lib/http/lambda.ts";
import { markedFields } from "../../../lib/schema/for-users.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { type Credentials, contextOf, eventOf, must } from "../call.ts";
import { furnishedWorkspace } from "../contract/furnished-workspace.ts";
import { dataOf, named } from "../contract/requests.ts";
import { newTableInMemory } from "../engine/in-memory.ts";
import { metered } from "./meter.ts";
import type { Usage } from "./usage.ts";

/** `by`: a server with its credentials, or a user with a token. */
export async function callAs(by: Credentials | { token: string }, endpoint: Endpoint, data: object, key?: string) {
  const { handler } = (await import(/* @vite-ignore */ `../../../${sourceOf(endpoint)}`)) as { handler: Handler };
  const [as, authorization] = "token" in by ? [undefined, `Bearer ${by.token}`] : [by];
  const event = eventOf(endpoint, { ...(as && { as }), data, headers: { authorization, "idempotency-key": key } });
  const { statusCode, body } = await handler(event as never, contextOf(endpoint.name, 28_000) as never);
  expect(statusCode, body.slice(0, 500)).toBe(200);
}

const alice = { userId: "alice", name: "Alice", email: "alice@example.com" };
const place = { organizationId: "acme", documentId: "plan" };

/** Of a first call of alice, and of the endpoint's call after it. Beside them, of the same calls of a server for alice. */
export async function usagesOf(endpoint: Endpoint): Promise<{ user: Usage; server: Usage }[]> {
  const ofUser = dataOf(endpoint);
  for (const { path } of markedFields(endpoint.data)) remove(ofUser, path);
  const ofServer = structuredClone(ofUser);
  fill(endpoint, { ...alice, issuedAt: 0, generations: new Map() } satisfies CallingUser, ofServer);
  const usages = async (callerOf: (as: Credentials) => Promise<Credentials | { token: string }>, data: object) => {
    newTableInMemory();
    const caller = await callerOf(await furnishedWorkspace(endpoint));
    const first = await metered(endpoint, () => callAs(caller, named("presence-get"), place));
    return [first, await metered(endpoint, () => callAs(caller, endpoint, data))];
  };
  const servers = await usages(async (as) => as, ofServer);
  return (await usages(aliceOf, ofUser)).map((user, index) => ({ user, server: servers[index] as Usage }));
}

/** Lets the workspace's users call. Returns alice's token. */
async function aliceOf(as: Credentials): Promise<{ token: string }> {
  await Setting.update({ workspace: as.apiKey }, "switches", { browser: true });
  const { userId, ...userProperties } = alice;
  const resources = [{ type: "document", id: place.documentId, ...place, accessRole: "editor" }];
  return must(tokenGenerate, { as, data: { userId, userProperties, permissions: { resources } } });
}

function remove(value: unknown, [name = "", ...rest]: readonly string[]): void {
  if (typeof value !== "object" || value === null) return;
  const holder = value as Record<string, unknown>;
  if (rest.length === 0) delete holder[name];
  else for (const each of name === "*" ? Object.values(holder) : [holder[name]]) remove(each, rest);
}
