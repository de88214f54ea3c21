// Calls with the token of a user.
import { tokenGenerate } from "../../functions/user-tokens/token-generate.ts";
import { each as eachAt } from "../../lib/browser/actor.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { markedFields } from "../../lib/schema/for-users.ts";
import * as Setting from "../../lib/store/setting.ts";
import { type Credentials, call, must } from "./call.ts";
import { addDocuments, newOrganization, onDocument, organizationId } from "./workspace.ts";

/** A workspace with the documents `d` and `hidden`, whose users may call. */
export async function newWorkspaceForUsers(): Promise<Credentials> {
  const as = await newOrganization();
  await addDocuments(as, undefined, "d", "hidden");
  await Setting.update({ workspace: as.apiKey }, "switches", { browser: true });
  await Setting.update({ workspace: as.apiKey }, "access", { defaultAccessType: "restricted" });
  return as;
}

/** A token of a user with this role on the document `d`. */
export async function tokenOf(as: Credentials, userId: string, accessRole: "viewer" | "editor" = "editor", more = {}) {
  const data = {
    userId,
    userProperties: { name: `The ${userId}`, email: `${userId}@example.com` },
    permissions: { resources: [onDocument("d", { accessRole })] },
    ...more,
  };
  return (await must(tokenGenerate, { as, data })).token as string;
}

export const callAs = (token: string, endpoint: Pick<Endpoint, "name">, data: object, headers = {}) =>
  call(endpoint, { data: { organizationId, ...data }, headers: { authorization: `Bearer ${token}`, ...headers } });

/** The request as a user sends it: without the fields that name who acts, and those that only servers send. */
export function asUsersSend<Data extends object>({ data: schema }: Pick<Endpoint, "data">, data: Data): Data {
  const copy = structuredClone(data);
  for (const { path } of markedFields(schema)) eachAt(copy, path, (holder, name) => void delete holder[name]);
  return copy;
}
