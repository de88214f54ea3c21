import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { permissionsGet } from "../../../functions/access/permissions-get.ts";
import { usersAdd } from "../../../functions/access/users-add.ts";
import { notificationsAdd } from "../../../functions/collaboration/notifications-add.ts";
import { notificationsGet } from "../../../functions/collaboration/notifications-get.ts";
import { documentsAdd } from "../../../functions/content/documents-add.ts";
import { documentsDataAdd } from "../../../functions/content/documents-data-add.ts";
import { documentsDelete } from "../../../functions/content/documents-delete.ts";
import { documentsGet } from "../../../functions/content/documents-get.ts";
import { documentsMigrate } from "../../../functions/content/documents-migrate.ts";
import { documentsMigrateStatus } from "../../../functions/content/documents-migrate-status.ts";
import { organizationsAdd } from "../../../functions/content/organizations-add.ts";
import { tableName } from "../../../infra/local/environment.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as Document from "../../../lib/store/document.ts";
import { documentGrantEntity } from "../../../lib/store/grant.ts";
import { participationEntity } from "../../../lib/store/participation.ts";
import { recipientListEntity } from "../../../lib/store/recipients.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { type Server, serve, stopped } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";
import { itemsOfMany } from "../../support/scan.ts";

const organizationId = "o";
/** So many that no job is near its end when all three have begun. */
const [membersCount, grantsCount, commentsCount, participantsCount] = [3_000, 2_000, 500, 20];
const numbered = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const thousands = <T>(items: T[]) => items.flatMap((_, at) => (at % 1_000 === 0 ? [items.slice(at, at + 1_000)] : []));

/** Calls the server. Returns `result.data`. */
async function ask({ ready }: Server, { path }: { path: string }, data: object) {
  const { apiKey, authToken } = ready;
  const headers = {
    "content-type": "application/json",
    "x-service-api-key": apiKey,
    "x-service-auth-token": authToken,
  };
  const body = JSON.stringify({ data: { organizationId, ...data } });
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  const reply: any = await (await fetch(ready.url + path, { method: "POST", headers, body })).json();
  expect(reply.error).toBeUndefined();
  return reply.result.data;
}

/** Adds members to notify, grants that follow to a document's new id, and a document with much data. */
async function furnish(server: Server): Promise<void> {
  await ask(server, organizationsAdd, { organizations: [{ organizationId }] });
  await ask(server, documentsAdd, { documents: [{ documentId: "old" }, { documentId: "gone" }] });
  const usersOf = (ids: string[]) => ids.map((userId) => ({ userId }));
  for (const ids of thousands(numbered(membersCount, "m"))) await ask(server, usersAdd, { users: usersOf(ids) });
  for (const ids of thousands(numbered(grantsCount, "g"))) {
    await ask(server, usersAdd, { documentId: "new", users: usersOf(ids) });
  }
  const [from, ...taggedUsers] = numbered(participantsCount, "p").map((userId) => ({ userId }));
  const comments = numbered(commentsCount, "c").map((annotationId) => ({
    annotationId,
    from,
    comments: [{ commentId: "1", from, taggedUsers }],
  }));
  await ask(server, documentsDataAdd, { documentId: "gone", location: { id: "l" }, comments });
}

/** How much each of the three jobs has done, and how much the purge has left. */
async function progressOf({ ready: { apiKey } }: Server, documentUid: DocumentUid) {
  const [items = []] = await itemsOfMany([apiKey]);
  const count = (...names: string[]) => items.filter(({ entity }) => names.includes(String(entity))).length;
  const { pk } = documentGrantEntity.range({ workspace: apiKey, documentUid });
  const followed = items.filter((item) => item.pk === pk && item.entity === documentGrantEntity.name).length;
  const left = count("feature", "former-participants", "merged-location", participationEntity.name);
  return { notified: count("inbox-entry"), followed, left };
}

/** Whether each of the three jobs has begun. It polls, so it reads little. */
async function haveBegun({ ready: { apiKey } }: Server, documentUid: DocumentUid): Promise<boolean> {
  const ref = { workspace: apiKey, documentUid };
  const [lists, followed, left] = await Promise.all([
    Table.query({ ...recipientListEntity.range({ ...ref, notificationId: "n" }), limit: 2 }),
    Table.query({ ...documentGrantEntity.range(ref), limit: 1 }),
    historyOf(apiKey, "p0"),
  ]);
  // The users of the first list have the notification when the second list is written.
  return lists.items.length === 2 && followed.items.length === 1 && left < commentsCount;
}

/** Entries of a user's history of comments. */
async function historyOf(workspace: string, userId: string): Promise<number> {
  const range = participationEntity.range({ workspace, organizationId, userId, kind: "comments" });
  return (await Array.fromAsync(Table.all(range))).flat().length;
}

/** The kinds of the jobs whose first pass has not ended. */
async function unfinished({ ready: { apiKey } }: Server): Promise<string[]> {
  const listed = (await Array.fromAsync(Job.listed())).flat().filter(({ workspace }) => workspace === apiKey);
  const jobs = await Promise.all(listed.map(({ id }) => Job.get(id)));
  return jobs.flatMap((job) => (job && !job.payload.secondPassAt ? [job.kind] : []));
}

/** Starts the three jobs. The purge is first, since it waits. Returns the migration's id. */
async function setOff(server: Server): Promise<string> {
  await ask(server, documentsDelete, { documentIds: ["gone"] });
  const again = { location: { id: "l" }, reactions: [{ reactionId: "r", from: { userId: "p0" } }] };
  await ask(server, documentsAdd, { documents: [{ documentId: "gone" }] });
  await ask(server, documentsDataAdd, { documentId: "gone", ...again });
  const { apiKey } = server.ready;
  await vi.waitUntil(async () => (await historyOf(apiKey, "p0")) < commentsCount, { timeout: 120_000 });
  const texts = { displayHeadlineMessageTemplate: "headline", displayBodyMessage: "body" };
  const note = { notificationId: "n", documentId: "old", actionUser: { userId: "m0" }, notifyUsers: [], ...texts };
  const [{ migrationId }] = await Promise.all([
    ask(server, documentsMigrate, { documentId: "old", newDocumentId: "new" }),
    ask(server, notificationsAdd, note),
  ]);
  return migrationId;
}

test("the next start finishes a fan-out, a purge and a migration that kill -9 interrupted", {
  timeout: 300_000,
}, async () => {
  const dir = temporaryFolder();
  const first = await serve(dir);
  const { port } = JSON.parse(readFileSync(join(dir, "engine.json"), "utf8"));
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${port}`);
  vi.stubEnv("TABLE_NAME", tableName);
  await furnish(first);
  const document = await Document.get({ workspace: first.ready.apiKey, organizationId, documentId: "old" });
  const documentUid = document?.documentUid as DocumentUid;
  const migrationId = await setOff(first);
  await vi.waitUntil(() => haveBegun(first, documentUid), { timeout: 120_000, interval: 10 });
  await stopped(first, "SIGKILL");
  const half = await progressOf(first, documentUid);
  for (const [done, all] of [
    [half.notified, membersCount],
    [half.followed, grantsCount],
    [half.left, commentsCount * (participantsCount + 1)],
  ] as const) {
    expect(done).toBeGreaterThan(2);
    expect(done).toBeLessThan(all);
  }

  const second = await serve(dir);
  await vi.waitUntil(async () => (await unfinished(second)).length === 0, { timeout: 120_000 });
  // The purge left only the document that was added again under the name: one item and its author's entry.
  expect(await progressOf(second, documentUid)).toEqual({ notified: membersCount, followed: grantsCount, left: 2 });
  expect(await ask(second, documentsMigrateStatus, { migrationId })).toEqual({ migrationId, status: "completed" });
  const { documents } = await ask(second, documentsGet, {});
  expect(documents.map((each: { documentId: string }) => each.documentId).sort()).toEqual(["gone", "new"]);
  for (const userId of ["m0", `m${membersCount - 1}`]) {
    const { notifications } = await ask(second, notificationsGet, { userId });
    expect(notifications).toMatchObject([{ notificationId: "n", documentId: "new" }]);
  }
  const userIds = ["g0", `g${grantsCount - 1}`];
  for (const entry of Object.values(await ask(second, permissionsGet, { userIds, documentIds: ["new"] }))) {
    expect(entry).toMatchObject({ documents: { new: { accessRole: "editor" } } });
  }
  expect(await stopped(second, "SIGTERM")).toBe(0);
});
