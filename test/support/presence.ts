// Fixtures of the tests of presence.
import { presenceAdd } from "../../functions/presence/presence-add.ts";
import { presenceDelete } from "../../functions/presence/presence-delete.ts";
import { presenceGet } from "../../functions/presence/presence-get.ts";
import * as Setting from "../../lib/store/setting.ts";
import { type Credentials, must } from "./call.ts";
import { jobsOf } from "./jobs.ts";
import { addDocuments, mocked, newOrganization, organizationId } from "./workspace.ts";

export const on = { organizationId, documentId: "d" };

/** A workspace that wants these events, with the document `d`. */
export async function newDocument(...wantedEvents: string[]): Promise<Credentials> {
  const as = await newOrganization();
  await addDocuments(as, undefined, "d");
  if (wantedEvents.length > 0) await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents });
  return as;
}

export const users = (...userIds: string[]) => userIds.map((userId) => ({ userId }));

export const enter = (as: Credentials, userIds: string[], more: object = {}) =>
  must(presenceAdd, { as, data: { ...on, users: users(...userIds), ...more } });

export const leave = (as: Credentials, ...userIds: string[]) => must(presenceDelete, { as, data: { ...on, userIds } });

/** The users on a document, from the first page. */
export async function presentOn(as: Credentials, documentId = "d") {
  return (await must(presenceGet, { as, data: { organizationId, documentId, pageSize: 100 } })).users;
}

export async function idsOn(as: Credentials, documentId = "d"): Promise<string[]> {
  return (await presentOn(as, documentId)).map(({ userId }: { userId: string }) => userId).sort();
}

/** The users of each event in the outbox, by type. */
export async function usersInEvents(as: Credentials): Promise<Record<string, string[][]>> {
  const jobs = await jobsOf(as, "fanout");
  const events = jobs.flatMap(({ payload }) => payload.events as { type: string; data: { userIds: string[] } }[]);
  const found = Object.groupBy(events, ({ type }) => type) as Record<string, typeof events>;
  return Object.fromEntries(
    Object.entries(found).map(([type, each]) => [type, each.map(({ data }) => data.userIds.toSorted())]),
  );
}

/** The items of a mocked table: the document `d`, and the events that its workspace wants. */
export const rows = (...wantedEvents: string[]) => [
  ...mocked.rows,
  mocked.document,
  Setting.settingEntity.put({ workspace: "w", setting: "webhooks" }, { wantedEvents }).put,
];
