// Fixtures of the tests of notifications.
import { expect } from "vitest";
import { notificationsAdd } from "../../functions/notifications/notifications-add.ts";
import { notificationsGet } from "../../functions/notifications/notifications-get.ts";
import { notify } from "../../functions/workers/notify.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import * as User from "../../lib/store/access/user.ts";
import { type Credentials, must } from "./call.ts";
import { later } from "./fake-dates.ts";
import { jobsOf } from "./jobs.ts";
import { deliver } from "./run-worker.ts";
import { addDocuments, newOrganization, organizationId } from "./workspace.ts";

export const numbered = (count: number, prefix = "u") =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Adds members to the organization `o`, directly in the table. */
export async function addMembers(
  { apiKey: workspace }: Credentials,
  userIds: readonly string[],
  grant: object = {},
): Promise<void> {
  const change = { profile: {}, grant: { accessRole: "viewer" as const, ...grant } };
  await commitEach(
    userIds.map((userId) => ({
      writes: [User.change({ workspace, organizationId, userId }, change, "either")],
    })),
  );
}

/** A workspace with the organization `o` and the document `d`, and members. */
export async function newDocument(members: readonly string[] = []): Promise<Credentials> {
  const as = await newOrganization();
  await addDocuments(as, undefined, "d");
  await addMembers(as, members);
  return as;
}

/** A complete request: a notification about the document `d` for all members. */
export const notification = (more: object = {}) => ({
  organizationId,
  documentId: "d",
  actionUser: { userId: "ann", name: "Ann", email: "ann@example.com" },
  displayHeadlineMessageTemplate: "headline",
  displayBodyMessage: "body",
  notifyUsers: [],
  ...more,
});

export async function add(as: Credentials, more: object = {}) {
  return must(notificationsAdd, { as, data: notification(more) });
}

/** Runs the waiting notify jobs until they are done. */
export async function runNotify(as: Credentials): Promise<void> {
  for (let jobs = await jobsOf(as, "notify"); jobs.length > 0; jobs = await jobsOf(as, "notify")) {
    expect(
      await deliver(
        notify,
        jobs.map(({ id }) => id),
      ),
    ).toEqual([]);
  }
}

export async function send(as: Credentials, more: object = {}): Promise<void> {
  await add(as, more);
  await runNotify(as);
}

export async function inboxOf(as: Credentials, userId: string, more: object = {}) {
  return must(notificationsGet, { as, data: { organizationId, userId, ...more } });
}

/** Which of the users have a notification. Fails when one has several. */
export async function recipientsAmong(as: Credentials, userIds: readonly string[]): Promise<string[]> {
  const inboxes = await Promise.all(userIds.map((userId) => inboxOf(as, userId)));
  const counts = inboxes.map(({ notifications }) => notifications.length);
  expect(counts.filter((count) => count > 1)).toEqual([]);
  return userIds.filter((_, index) => counts[index] === 1);
}

/** For the user `u` only. */
export const toU = { notifyAll: false, notifyUsers: [{ userId: "u" }] };

/** A document whose user `u` has these notifications, a second apart. */
export async function withNotifications(ids: readonly string[], more: object = {}): Promise<Credentials> {
  const as = await newDocument();
  for (const notificationId of ids) {
    later(1);
    await send(as, { ...toU, notificationId, ...more });
  }
  return as;
}
