// Every write of an item has a condition on what was read, or a reason why it needs none. A call that adds a write
// without either must name it here.
import { expect, it } from "vitest";
import { sources } from "../../support/sources.ts";

/** The request or the job alone states the new value. What is stored before has no part in it. */
const states = "states the whole value";
/** The key has a new random id, a version or a hash of the content, so no other call writes the same item. */
const ownKey = "writes a key of its own";
/** Another write of the same transaction has a condition on what was read. */
const guarded = "is in one transaction with a conditional write";
/** A list entry that is made from its key: each writer writes the same. A reader compares it with the item itself. */
const entry = "writes what every writer of the key writes";

const reasons: Record<string, string> = {
  "functions/collaboration/presence-add.ts presenceEntity.put": states,
  "lib/access/grants.ts documentGrantEntity.delete": guarded,
  "lib/store/add-judgments.ts judgmentEntity.put": guarded,
  "lib/store/add-judgments.ts judgmentEntity.delete": guarded,
  "lib/store/add-judgments.ts judgmentChangeEntity.put": ownKey,
  "lib/store/auth-token.ts authTokenEntity.put": ownKey,
  "lib/store/crdt.ts editorContentPartEntity.put": guarded,
  "lib/store/delivery.ts pendingEntity.put": entry,
  // Only the worker that drains an endpoint logs its deliveries. A retry by hand is conditional on the failed entry.
  "lib/store/delivery.ts loggedEntity.put": states,
  "lib/store/document.ts locatorEntity.put": guarded,
  "lib/store/document.ts locatorEntity.delete": guarded,
  "lib/store/document.ts ownerEntity.put": guarded,
  "lib/store/feature.ts participationEntity.put": guarded,
  "lib/store/feature.ts participationEntity.delete": guarded,
  "lib/store/feature.ts formerParticipantsEntity.put": guarded,
  "lib/store/feature.ts formerParticipantsEntity.delete": guarded,
  "lib/store/folder.ts childEntity.put": guarded,
  "lib/store/folder.ts childEntity.delete": guarded,
  // Adding a grant states it whole. users/update changes a part, and sets the condition on the grant as read.
  "lib/store/grant.ts folderGrantEntity.put": states,
  "lib/store/grant.ts documentGrantEntity.put": states,
  "lib/store/idempotency.ts replyPartEntity.put": ownKey,
  "lib/store/inbox.ts readMarkEntity.put": entry,
  // It only sets what is absent.
  "lib/store/knowledge.ts knowledgeSourceEntity.update": entry,
  "lib/store/knowledge.ts chunkEntity.put": entry,
  "lib/store/location-changes.ts locationNodeEntity.put": ownKey,
  "lib/store/location-changes.ts locationNodeEntity.delete": guarded,
  "lib/store/location-changes.ts mergedLocationEntity.put": guarded,
  "lib/store/notification.ts notificationEntity.put": guarded,
  "lib/store/notification.ts actedEntryEntity.put": guarded,
  "lib/store/organization.ts organizationEntryEntity.put": guarded,
  "lib/store/owner.ts ownerEntity.update": entry,
  "lib/store/recipients.ts recipientListEntity.put": ownKey,
  "lib/store/recipients.ts inboxEntryEntity.put": entry,
  // A membership has the generation of its user, so one of a user who was deleted meanwhile is void.
  "lib/store/user-group.ts groupMemberEntity.put": states,
  "lib/store/user.ts userEntity.update": entry,
  "lib/store/workspace.ts workspaceEntryEntity.put": guarded,
  "lib/store/workspace.ts workspaceEntryEntity.delete": guarded,
  "lib/webhooks/configure.ts settingEntity.update": states,
};

/** The position of the condition among the arguments. */
const conditionAt = { put: 2, update: 2, delete: 1 };

/** The calls of `put`, `update` and `delete` of entities in a source that have no condition. */
function unconditionalWrites(source: string): string[] {
  return [...source.matchAll(/\b(\w+Entity)\.(put|update|delete)\(/g)].flatMap(
    ({ 0: call, 1: entity, 2: verb, index }) => {
      const count = argumentsOf(source, index + call.length).length;
      return count > conditionAt[verb as keyof typeof conditionAt] ? [] : [`${entity}.${verb}`];
    },
  );
}

/** The arguments of a call, as text; `start` is behind its bracket. */
function argumentsOf(source: string, start: number): string[] {
  const parts = [""];
  for (let index = start, depth = 0; ; index++) {
    const character = source.charAt(index);
    if (character === "") throw new Error("The call does not end.");
    if (/[)\]}]/.test(character) && depth-- === 0) return parts.filter((part) => part.trim() !== "");
    if (/[([{]/.test(character)) depth++;
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
}

const modules = sources("functions", "lib", "infra");

it("every write without a condition has a reason, and every reason has its write", () => {
  const found = modules.flatMap(({ file, text }) => unconditionalWrites(text).map((write) => `${file} ${write}`));
  expect([...new Set(found)].sort()).toEqual(Object.keys(reasons).sort());
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
});

it("no source makes a write by hand, past the entities, except with a condition", () => {
  const byHand = modules.filter(({ file, text }) => {
    const code = text.replace(/^ *(?:\/\/|\*|\/\*).*$/gm, "");
    return /\{ (?:put|update|delete): (?!Item|Key)/.test(code) && file !== "lib/dynamodb/entity.ts";
  });
  expect(byHand.map(({ file }) => file)).toEqual(["lib/deletion/rewrite-without-user.ts", "lib/store/call-count.ts"]);
  expect(byHand.map(({ text }) => /\bif: (?:unchanged|\{ since \})/.test(text))).toEqual([true, true]);
});
