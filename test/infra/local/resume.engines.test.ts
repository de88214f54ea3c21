import { expect, test, vi } from "vitest";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { documentsMigrate } from "../../../functions/documents/documents-migrate.ts";
import { documentsMigrateStatus } from "../../../functions/documents/documents-migrate-status.ts";
import { notificationsAdd } from "../../../functions/notifications/notifications-add.ts";
import { notificationsGet } from "../../../functions/notifications/notifications-get.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { permissionsGet } from "../../../functions/permissions/permissions-get.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { openEngine } from "../../../infra/local/dynamodb.ts";
import { tableName } from "../../../infra/local/environment.ts";
import { listed } from "../../../lib/jobs/list.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { documentGrantEntity } from "../../../lib/store/access/grant.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { participationEntity } from "../../../lib/store/features/participation.ts";
import { inboxEntryEntity } from "../../../lib/store/notifications/inbox.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { type Hold, heldEngine } from "../../support/local/held-engine.ts";
import { post, type Server, serve, stopped } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";
import { itemsOfMany } from "../../support/scan.ts";

const organizationId = "o";
/** More than the jobs write before they are held. */
const [membersCount, grantsCount, commentsCount, participantsCount] = [600, 300, 40, 20];
const numbered = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const thousands = <T>(items: T[]) => items.flatMap((_, at) => (at % 1_000 === 0 ? [items.slice(at, at + 1_000)] : []));

/** Only for a server that never gets there: a busy machine can be many times slower than an idle one. */
const waitMs = 300_000;

const writes = (name: string) => (body: string) => body.includes(`{"S":"${name}"}`);

/** What each of the three jobs does in many requests, of which only the first ones get a reply. */
const jobs = {
  notify: { isHeld: writes(inboxEntryEntity.name), passed: 5 },
  migrate: { isHeld: writes(documentGrantEntity.name), passed: 2 },
  purge: { isHeld: (body) => body.includes('"DeleteRequest"') && body.includes("#UP#"), passed: 8 },
} as const satisfies Record<string, Hold>;

/** Calls an endpoint of the server, which must succeed. Returns `result.data`. */
async function call(server: Server, endpoint: { path: string }, data: object) {
  const { error, result } = await post(server, endpoint, { organizationId, ...data });
  expect(error).toBeUndefined();
  return result.data;
}

/** Adds members to notify, grants on the id to which a document migrates, and a document with much data. */
async function furnish(server: Server): Promise<void> {
  await call(server, organizationsAdd, { organizations: [{ organizationId }] });
  await call(server, documentsAdd, { documents: [{ documentId: "old" }, { documentId: "deleted" }] });
  const usersOf = (ids: string[]) => ids.map((userId) => ({ userId }));
  for (const ids of thousands(numbered(membersCount, "m"))) await call(server, usersAdd, { users: usersOf(ids) });
  for (const ids of thousands(numbered(grantsCount, "g"))) {
    await call(server, usersAdd, { documentId: "new", users: usersOf(ids) });
  }
  const [from, ...taggedUsers] = numbered(participantsCount, "p").map((userId) => ({ userId }));
  const comments = numbered(commentsCount, "c").map((annotationId) => ({
    annotationId,
    from,
    comments: [{ commentId: "1", from, taggedUsers }],
  }));
  await call(server, documentsDataAdd, { documentId: "deleted", location: { id: "l" }, comments });
}

/** The counts of notified members and of moved grants, and of the items that the purge has not removed. */
async function progressOf({ ready: { apiKey } }: Server, documentUid: DocumentUid) {
  const [items = []] = await itemsOfMany([apiKey]);
  const count = (...names: string[]) => items.filter(({ entity }) => names.includes(String(entity))).length;
  const { pk } = documentGrantEntity.range({ workspace: apiKey, documentUid });
  const movedGrants = items.filter((item) => item.pk === pk && item.entity === documentGrantEntity.name).length;
  const remaining = count("feature", "former-participants", "merged-location", participationEntity.name);
  return { notified: count("inbox-entry"), movedGrants, remaining };
}

/** The kinds of the jobs whose first pass has not ended. */
async function unfinished({ ready: { apiKey } }: Server): Promise<string[]> {
  const open = (await Array.fromAsync(listed(apiKey))).flat();
  const jobs = await Promise.all(open.map(({ id }) => Job.get(id)));
  return jobs.flatMap((job) => (job && !job.payload.isSecondPass ? [job.kind] : []));
}

/** Starts the three jobs. Returns the migration's id. */
async function startJobs(server: Server): Promise<string> {
  await call(server, documentsDelete, { documentIds: ["deleted"] });
  const again = { location: { id: "l" }, reactions: [{ reactionId: "r", from: { userId: "p0" } }] };
  await call(server, documentsAdd, { documents: [{ documentId: "deleted" }] });
  await call(server, documentsDataAdd, { documentId: "deleted", ...again });
  const texts = { displayHeadlineMessageTemplate: "headline", displayBodyMessage: "body" };
  const note = { notificationId: "n", documentId: "old", actionUser: { userId: "m0" }, notifyUsers: [], ...texts };
  const [{ migrationId }] = await Promise.all([
    call(server, documentsMigrate, { documentId: "old", newDocumentId: "new" }),
    call(server, notificationsAdd, note),
  ]);
  return migrationId;
}

test("the next start of the server finishes the fan-out, the purge and the migration that kill -9 interrupted", {
  timeout: 3 * waitMs,
}, async () => {
  const dir = temporaryFolder();
  const engine = await openEngine(temporaryFolder());
  const held = await heldEngine(engine.endpoint, jobs);
  vi.stubEnv("DYNAMODB_ENDPOINT", held.url);
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", engine.endpoint);
  vi.stubEnv("TABLE_NAME", tableName);
  const first = await serve(dir);
  await furnish(first);
  const document = await Document.get({ workspace: first.ready.apiKey, organizationId, documentId: "old" });
  const documentUid = document?.documentUid as DocumentUid;
  held.hold();
  const migrationId = await startJobs(first);
  for (const job of ["notify", "migrate", "purge"] as const) {
    await vi.waitUntil(() => held.holds(job), { timeout: waitMs, interval: 200 });
  }
  await stopped(first, "SIGKILL");
  const half = await progressOf(first, documentUid);
  for (const [done, all] of [
    [half.notified, membersCount],
    [half.movedGrants, grantsCount],
    [half.remaining, commentsCount * (participantsCount + 1)],
  ] as const) {
    expect(done).toBeGreaterThan(2);
    expect(done).toBeLessThan(all);
  }

  held.release();
  const second = await serve(dir);
  await vi.waitUntil(async () => (await unfinished(second)).length === 0, { timeout: waitMs, interval: 200 });
  // What remains are the items of the document that was added again: a reaction, and the history entry of its author.
  const { notified, ...end } = await progressOf(second, documentUid);
  expect(end).toEqual({ movedGrants: grantsCount, remaining: 2 });
  // Beside the members, the fan-out finds the users whose grants have been moved by then.
  expect(notified).toBeGreaterThanOrEqual(membersCount + half.movedGrants);
  expect(notified).toBeLessThanOrEqual(membersCount + grantsCount);
  expect(await call(second, documentsMigrateStatus, { migrationId })).toEqual({ migrationId, status: "completed" });
  const { documents } = await call(second, documentsGet, {});
  expect(documents.map((each: { documentId: string }) => each.documentId).sort()).toEqual(["deleted", "new"]);
  for (const userId of ["m0", `m${membersCount - 1}`]) {
    const { notifications } = await call(second, notificationsGet, { userId });
    expect(notifications).toMatchObject([{ notificationId: "n", documentId: "new" }]);
  }
  const userIds = ["g0", `g${grantsCount - 1}`];
  for (const entry of Object.values(await call(second, permissionsGet, { userIds, documentIds: ["new"] }))) {
    expect(entry).toMatchObject({ documents: { new: { accessRole: "editor" } } });
  }
  expect(await stopped(second, "SIGTERM")).toBe(0);
  await engine.close();
});
