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
import { shapeOf } from "../../../lib/deletion/descendants.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { dataKeys } from "../../../lib/store/data-keys.ts";
import * as Document from "../../../lib/store/document.ts";
import { type Key, keys } from "../../../lib/store/keys.ts";
import { type Server, serve, stopped } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";
import { itemsOfMany } from "../../support/scan.ts";

const organizationId = "o";
/** So many that each job is still far from its end when all three are seen to have begun. */
const [membersCount, grantsCount, commentsCount, participantsCount] = [3_000, 2_000, 500, 20];
const numbered = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const thousands = <T>(items: T[]) => items.flatMap((_, at) => (at % 1_000 === 0 ? [items.slice(at, at + 1_000)] : []));

/** Calls the server; `result.data`. */
async function ask({ ready }: Server, { path }: { path: string }, data: object) {
  const { apiKey, authToken } = ready;
  const headers = {
    "content-type": "application/json",
    "x-service-api-key": apiKey,
    "x-service-auth-token": authToken,
  };
  const body = JSON.stringify({ data: { organizationId, ...data } });
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  const answer: any = await (await fetch(ready.url + path, { method: "POST", headers, body })).json();
  expect(answer.error).toBeUndefined();
  return answer.result.data;
}

/** Members to be notified, grants that follow to a document's new id, and a document with much in it. */
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
async function progressOf({ ready: { apiKey } }: Server, uid: string) {
  const [items = []] = await itemsOfMany([apiKey]);
  const count = (shape: RegExp) => items.filter(({ pk }) => shape.test(shapeOf(pk))).length;
  const followed = items.filter(
    ({ pk, sk }) => pk === keys.documentData(apiKey, uid) && sk.startsWith("GRANT#"),
  ).length;
  return { notified: count(/^O UN$/), followed, left: count(/^(X L|O UP .*)$/) };
}

/** Whether each of the three is under way: cheap, since it is asked all the time. */
async function haveBegun({ ready: { apiKey } }: Server, uid: string): Promise<boolean> {
  const [lists, followed, left] = await Promise.all([
    Table.query({ pk: dataKeys.recipients(apiKey, uid, "n", "").pk, limit: 2 }),
    Table.query({ ...begin(keys.documentGrant(apiKey, uid, "")), limit: 1 }),
    historyOf(apiKey, "p0"),
  ]);
  // The first list's users have it by the time that the second is written.
  return lists.items.length === 2 && followed.items.length === 1 && left < commentsCount;
}

const begin = ({ pk, sk }: Key) => ({ pk, beginsWith: sk });

/** Entries of a user's history of comments. */
async function historyOf(workspace: string, userId: string): Promise<number> {
  const { pk } = dataKeys.participation(workspace, organizationId, userId, "comments", "");
  return (await Array.fromAsync(Table.all({ pk }))).flat().length;
}

/** The jobs that have their first pass still to end. */
async function unfinished({ ready: { apiKey } }: Server): Promise<string[]> {
  const listed = (await Array.fromAsync(Job.listed())).flat().filter(({ workspace }) => workspace === apiKey);
  const jobs = await Promise.all(listed.map(({ id }) => Job.get(id)));
  return jobs.flatMap((job) => (job && !job.payload.secondPassAt ? [job.kind] : []));
}

/** The three jobs, the purge first: it waits. */
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

test("a fan-out, a purge and a migration that kill -9 cuts short are finished after the next start", {
  timeout: 300_000,
}, async () => {
  const dir = temporaryFolder();
  const first = await serve(dir);
  const { port } = JSON.parse(readFileSync(join(dir, "engine.json"), "utf8"));
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${port}`);
  vi.stubEnv("TABLE_NAME", tableName);
  await furnish(first);
  const [document] = await Document.getMany(first.ready.apiKey, organizationId, ["old"]);
  const uid = document?.uid as string;
  const migrationId = await setOff(first);
  await vi.waitUntil(() => haveBegun(first, uid), { timeout: 120_000, interval: 10 });
  await stopped(first, "SIGKILL");
  const half = await progressOf(first, uid);
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
  // Of what was purged nothing is left; what was added again under its name has an item, and its author's entry.
  expect(await progressOf(second, uid)).toEqual({ notified: membersCount, followed: grantsCount, left: 2 });
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
