import { expect, it } from "vitest";
import { documentsDelete } from "../../../../functions/documents/documents-delete.ts";
import { notificationsConfigSet } from "../../../../functions/notifications/notifications-config-set.ts";
import { usersDataDelete } from "../../../../functions/personal-data/users-data-delete.ts";
import { usersDelete } from "../../../../functions/users/users-delete.ts";
import { type MessageChannel, messageChannels } from "../../../../lib/schema/message-channels.ts";
import * as Document from "../../../../lib/store/content/document.ts";
import { nextWatchers, startOfWatchers, type WatcherCursors } from "../../../../lib/store/features/watcher.ts";
import { type Credentials, must } from "../../../support/call.ts";
import { erased } from "../../../support/erasure.ts";
import { fakeDates } from "../../../support/fake-dates.ts";
import { addMembers, newDocument, numbered } from "../../../support/notifications.ts";
import { runPurges } from "../../../support/run-purges.ts";
import { itemsOf } from "../../../support/scan.ts";
import { organizationId } from "../../../support/workspace.ts";

fakeDates();

const choose = (as: Credentials, config: object, documentIds: string[] = ["d"], userIds: string[] = ["u"]) =>
  must(notificationsConfigSet, { as, data: { organizationId, documentIds, userIds, config } });

/** Everyone whom the lists of the document `d` and of its organization have. */
async function listed({ apiKey: workspace }: Credentials, channel: MessageChannel): Promise<string[]> {
  const found = await Document.get({ workspace, organizationId, documentId: "d" });
  const document = { workspace, organizationId, documentUid: (found as Document.Document).documentUid };
  const userIds: string[] = [];
  for (let cursors: WatcherCursors = startOfWatchers, isDone = false; !isDone; ) {
    const page = await nextWatchers(channel, document, cursors);
    userIds.push(...page.watchers.map(({ userId }) => userId));
    ({ cursors, isDone } = page);
  }
  return userIds.sort();
}
const both = async (as: Credentials) => Promise.all(messageChannels.map((channel) => listed(as, channel)));
const entries = async ({ apiKey }: Credentials) =>
  (await itemsOf(apiKey)).filter(({ entity }) => String(entity).endsWith("watcher"));

it.each([
  ["a document", ["d"]],
  ["the organization", []],
])("a user who chooses ALL for %s is on the list of the channel until another choice", async (_what, documentIds) => {
  const as = await newDocument(["u", "v"]);
  await choose(as, { inbox: "ALL" }, documentIds);
  expect(await both(as)).toEqual([[], []]);
  await choose(as, { email: "ALL" }, documentIds, ["u", "v"]);
  await choose(as, { slack: "ALL", email: "MINE" }, documentIds);
  expect(await both(as)).toEqual([["v"], ["u"]]);
  await choose(as, { inbox: "NONE" }, documentIds);
  expect(await both(as)).toEqual([["v"], ["u"]]);
  await choose(as, { slack: "NONE", email: "NONE" }, documentIds, ["u", "v"]);
  expect(await entries(as)).toEqual([]);
});

it("a list agrees with the preference when choices come at once", async () => {
  const as = await newDocument(["u"]);
  for (const documentIds of [["d"], []]) {
    await Promise.all(["ALL", "NONE", "ALL", "MINE"].map((email) => choose(as, { email }, documentIds)));
    const [stored] = (await itemsOf(as.apiKey)).filter(({ entity, userId }) =>
      documentIds.length > 0 ? entity === "preference" : entity === "user" && userId === "u",
    );
    const isAll = (stored?.email ?? stored?.notifyEmail) === "ALL";
    expect((await entries(as)).map(({ userId }) => userId)).toEqual(isAll ? ["u"] : []);
    await choose(as, { email: "NONE" }, documentIds);
  }
});

it("the lists have pages", async () => {
  const as = await newDocument();
  const userIds = numbered(700);
  await addMembers(as, userIds);
  await choose(as, { email: "ALL" }, ["d"], userIds);
  await choose(as, { email: "ALL", slack: "ALL" }, [], userIds.slice(0, 3));
  expect(await both(as)).toEqual([[...userIds, ...userIds.slice(0, 3)].sort(), userIds.slice(0, 3)]);
});

it("a deleted user is off the organization's lists at once, and is on none of the next life", async () => {
  const as = await newDocument(["u"]);
  await choose(as, { email: "ALL", slack: "ALL" }, []);
  await choose(as, { email: "ALL" });
  await must(usersDelete, { as, data: { organizationId, userIds: ["u"] } });
  expect((await entries(as)).map(({ entity }) => entity)).toEqual(["document-watcher"]);
  await addMembers(as, ["u"]);
  await choose(as, { slack: "ALL" });
  expect(await both(as)).toEqual([[], ["u"]]);
});

it("a deletion of the document and an erasure of the user leave no entries", async () => {
  const as = await newDocument(["u", "v"]);
  await choose(as, { email: "ALL", slack: "ALL" }, ["d"], ["u", "v"]);
  await choose(as, { email: "ALL" }, [], ["u", "v"]);
  const { jobId } = await must(usersDataDelete, { as, data: { organizationId, userIds: ["u"] } });
  await erased(jobId);
  expect(await both(as)).toEqual([["v", "v"], ["v"]]);
  await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
  await runPurges(as);
  expect((await entries(as)).map(({ entity, userId }) => [entity, userId])).toEqual([["organization-watcher", "v"]]);
});
