// Every write of an item has a condition on what was read, or a reason why it needs none. A call that adds a write
// without either must name it here. `conditional-writes.txt` lists the others, each with its condition.
import { expect, it } from "vitest";
import { sources } from "../../support/sources.ts";
import { declarationsOf, writesIn } from "../../support/writes.ts";

/** The request or the job alone states the new value. What is stored before has no part in it. */
const states = "states the whole value";
/** The key has a new random id, a version or a hash of the content, so no other call writes the same item. */
const ownKey = "writes a key of its own";
/** Another write of the same transaction has a condition on what was read. */
const guarded = "is in one transaction with a conditional write";
/** A list entry that is made from its key: each writer writes the same. A reader compares it with the item itself. */
const entry = "writes what every writer of the key writes";

const reasons: Record<string, string> = {
  // Adding a grant states it whole. users/update changes a part, and sets the condition on the grant as read.
  "lib/access/requested-grants.ts Grant.onFolder": states,
  "lib/access/requested-grants.ts documentGrantEntity.delete": guarded,
  "lib/deletion/former-lives.ts folderGranteeEntity.delete": guarded,
  "lib/erasure/erase-from-content.ts featureEntryEntity.put": guarded,
  "lib/erasure/erase-from-content.ts participationEntity.delete": guarded,
  // The sort key has the sequence number or the id of an activity, which nobody changes.
  "lib/store/activity/activity-list.ts listedActivityEntity.put": entry,
  "lib/store/activity/activity-list.ts listedActivityEntity.delete": guarded,
  "lib/store/ai/judgment-changes.ts judgmentEntity.put": guarded,
  "lib/store/ai/judgment-changes.ts judgmentEntity.delete": guarded,
  // The count is added by condition, in the same update.
  "lib/store/messages/message-count.ts addressCountEntity.update": entry,
  "lib/store/messages/message-count.ts addressShareEntity.update": entry,
  "lib/store/messages/message-count.ts workspaceCountEntity.update": entry,
  "lib/store/messages/message.ts messageEntity.put": guarded,
  "lib/store/messages/message.ts messageOfUserEntity.put": guarded,
  "lib/store/messages/handled-events.ts handledEventsEntity.put": guarded,
  // A repeated fan-out writes the same item. A worker that has handled the event finds its mark (`handled-events.ts`).
  "lib/store/messages/waiting-message.ts waitingMessageEntity.put": entry,
  "lib/store/messages/waiting-message.ts dueMessageEntity.put": entry,
  "lib/store/ai/month-changes.ts judgmentChangeEntity.put": ownKey,
  "lib/store/erasure/being-erased.ts beingErasedEntity.update":
    "It adds or removes one element of a set. Any number of jobs can do so in any order, and repeat it.",
  "lib/store/listening.ts listeningEntity.update": "It adds to a number. Each call gets numbers that no other one has.",
  "lib/store/access/auth-token.ts authTokenEntity.put": ownKey,
  "lib/store/crdt/crdt.ts editorStatePartEntity.put": guarded,
  "lib/store/crdt/crdt-updates.ts editorUpdateEntity.put": ownKey,
  "lib/store/notifications/deleted-notification.ts deletedNotificationEntity.put": entry,
  "lib/store/webhooks/delivery.ts pendingEntity.put": entry,
  // Only the worker that drains an endpoint logs its deliveries. A retry by hand is conditional on the failed entry.
  "lib/store/webhooks/delivery.ts loggedEntity.put": states,
  "lib/store/content/document.ts locatorEntity.put": guarded,
  "lib/store/content/document.ts locatorEntity.delete": guarded,
  "lib/store/content/document.ts ownerEntity.put": guarded,
  "lib/store/erasure/erasure-count.ts erasureCountEntity.put": ownKey,
  "lib/store/features/feature.ts featureEntryEntity.put": guarded,
  "lib/store/features/feature.ts featureEntryEntity.delete": guarded,
  "lib/store/features/feature.ts participationEntity.put": guarded,
  "lib/store/features/feature.ts participationEntity.delete": guarded,
  "lib/store/features/feature.ts formerParticipantsEntity.put": guarded,
  "lib/store/features/feature.ts formerParticipantsEntity.delete": guarded,
  "lib/store/content/folder-child.ts childEntity.put": guarded,
  "lib/store/content/folder-child.ts childEntity.delete": guarded,
  "lib/store/access/grant.ts folderGranteeEntity.put": entry,
  "lib/store/access/grant.ts folderGranteeEntity.delete": guarded,
  "lib/store/idempotency.ts callStepsEntity.put": ownKey,
  "lib/store/idempotency.ts replyPartEntity.put": ownKey,
  "lib/store/notifications/inbox.ts readMarkEntity.put": entry,
  // It only sets what is absent.
  "lib/store/ai/knowledge.ts knowledgeSourceEntity.update": entry,
  "lib/store/ai/knowledge.ts chunkEntity.put": entry,
  "lib/store/content/location-changes.ts locationNodeEntity.put": ownKey,
  "lib/store/content/location-changes.ts locationNodeEntity.delete": guarded,
  "lib/store/content/location-changes.ts mergedLocationEntity.put": guarded,
  "lib/store/notifications/notification.ts notificationEntity.put": guarded,
  "lib/store/notifications/notification.ts actedEntryEntity.put": guarded,
  "lib/store/content/organization-deletion.ts deletionMarkEntity.put": guarded,
  "lib/store/content/organization-deletion.ts deletionMarkEntity.delete": guarded,
  "lib/store/content/organization-deletion.ts organizationEntryEntity.delete": guarded,
  "lib/store/content/organization.ts organizationEntryEntity.put": guarded,
  "lib/store/content/owner.ts ownerEntity.update": entry,
  "lib/store/notifications/recipients.ts recipientListEntity.put": ownKey,
  "lib/store/notifications/recipients.ts inboxEntryEntity.put": entry,
  "lib/store/setting.ts Setting.updating": states,
  "lib/store/messages/slack-user.ts slackUserEntity.put": states,
  "lib/store/messages/suppression.ts bouncedAddressEntity.put": states,
  "lib/store/messages/suppression.ts complainedAddressEntity.put": states,
  "lib/store/features/watcher.ts organizationWatcherEntity.delete": guarded,
  "lib/store/workspace.ts workspaceEntryEntity.put": guarded,
  "lib/store/workspace.ts workspaceEntryEntity.delete": guarded,
  "lib/webhooks/configure.ts settingEntity.update": states,
};

/** The writes in batches, which have no condition. */
const batchReasons: Record<string, string> = {
  "lib/content/presence.ts deleteAll": states,
  "lib/store/erasure/erasure-count.ts deleteAll": "the job has its receipt, so nothing counts any more",
  "lib/activity/append.ts deleteAll": "the organization no longer exists",
  "lib/activity/append.ts putAll": entry,
  "lib/deletion/former-lives.ts deleteAll": "the folder no longer exists, and its next one has another internal id",
  "lib/deletion/purge.ts deleteAll": "the parent no longer exists, so nothing adds to its descendants",
  "lib/store/ai/agent.ts deleteAll": states,
  "lib/store/access/auth-token.ts deleteAll": states,
  "lib/store/crdt/crdt-merge.ts deleteAll": "no reader needs them: the editor was switched or deleted by condition",
  "lib/store/crdt/crdt-merge.ts putAll": ownKey,
  "lib/store/notifications/deleted-notification.ts deleteAll": states,
  "lib/store/notifications/deleted-notification.ts putAll": entry,
  // Only the worker that drains an endpoint ends its deliveries.
  "lib/store/webhooks/delivery.ts deleteAll": states,
  "lib/store/webhooks/delivery.ts putAll": entry,
  "lib/store/notifications/inbox.ts putAll": entry,
  "lib/store/ai/knowledge.ts deleteAll": "the source no longer exists, and its next one has another internal id",
  "lib/store/ai/knowledge.ts putAll": entry,
  "lib/store/notifications/recipients.ts deleteAll": "the notification no longer exists",
  "lib/store/notifications/recipients.ts putAll": entry,
  "lib/store/messages/waiting-message.ts deleteAll": "the messages were told, and their marks were written before",
  "lib/store/messages/waiting-message.ts putAll": entry,
};

const unconditionalWrites = (source: string, file?: string) =>
  writesIn(source, file).flatMap(({ write, condition }) => (condition === undefined ? [write] : []));

const modules = sources("functions", "lib", "infra").filter(({ file }) => file !== "lib/dynamodb/entity.ts");
it("every write without a condition has a reason, and every reason has its write", () => {
  const found = modules.flatMap(({ file, text }) => unconditionalWrites(text, file).map((write) => `${file} ${write}`));
  expect([...new Set(found)].sort()).toEqual(Object.keys(reasons).sort());
});

it("all writes with a condition are as listed, and what the condition names", async () => {
  const lines = modules.flatMap(({ file, text, imports }) => {
    const imported = modules.filter((each) => imports.includes(each.file));
    return writesIn(text, file).flatMap(({ write, condition }) => {
      if (condition === undefined) return [];
      const local = declarationsOf(condition, text);
      const named = local.length > 0 ? local : imported.flatMap((each) => declarationsOf(condition, each.text));
      return [`${file} ${write} if ${condition}`, ...named.map((declaration) => `    ${declaration}`)];
    });
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("conditional-writes.txt");
});

it("every module that writes in batches, without conditions, has a reason", () => {
  const found = modules.flatMap(({ file, text }) =>
    [...text.matchAll(/\b(?<!function )(putAll|deleteAll)\(/g)].map(([, name]) => `${file} ${name}`),
  );
  expect([...new Set(found)].sort()).toEqual(Object.keys(batchReasons).sort());
});

it("the scan finds a write without a condition, and none with one", () => {
  const put = "xEntity.put({ a: f(1, 2) }, [b, c]";
  expect(unconditionalWrites(`${put})`)).toEqual(["xEntity.put"]);
  expect(unconditionalWrites(`${put}, { rev })`)).toEqual([]);
  expect(unconditionalWrites("xEntity.update(ref, { set }, ) + yEntity.delete(ref)")).toEqual([
    "xEntity.update",
    "yEntity.delete",
  ]);
  expect(unconditionalWrites('yEntity.delete(ref, "present")')).toEqual([]);
  expect(unconditionalWrites("Grant.onFolder(folder, grant)")).toEqual(["Grant.onFolder"]);
  expect(writesIn("({ ...known, set: { a }, if: { rev } })")).toEqual([{ write: "known", condition: "{ rev }" }]);
});

it("no source makes a write by hand, past the entities, except with a condition", () => {
  const byHand = modules.filter(({ text }) => {
    const code = text.replace(/^ *(?:\/\/|\*|\/\*).*$/gm, "");
    return /\{ (?:put|update|delete): (?!Item|Key|string)/.test(code);
  });
  expect(byHand.map(({ file }) => file)).toEqual([
    "lib/erasure/counted.ts",
    "lib/erasure/erase-from-activities.ts",
    "lib/erasure/erase-from-content.ts",
    "lib/erasure/erase-from-deliveries.ts",
    "lib/erasure/visit.ts",
    "lib/store/activity/activity-entry.ts",
    "lib/store/call-count.ts",
  ]);
  expect(byHand.map(({ text }) => /\bif: (?:unchanged|asRead|\{ since \}|\{ \.\.\.unchanged, )/.test(text))).toEqual(
    byHand.map(() => true),
  );
});
