// Every entity is covered by an erasure, or holds nothing of a user.
import { expect, it } from "vitest";
import { segment } from "../../../lib/dynamodb/key.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { userFields } from "../../../lib/erasure/event-users.ts";
import { eventSchemas } from "../../../lib/schema/events.ts";
import { entities } from "../../../lib/store/entities.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { ann, furnish } from "../../support/furnished-table.ts";
import { itemsOf } from "../../support/scan.ts";

fakeDates();

// What an erasure does with the items of each entity (DECISIONS.md#erasure-of-users). `removed`: items of the user are
// deleted. `redacted`: items of others stay without the user. `nothing`: no item holds anything of a user, apart from
// text that people wrote. `ends`: the data ends by itself, at the time that the receipt says.
type Coverage = "removed" | "redacted" | "nothing" | "ends";

const coverage: Record<string, Coverage> = {
  format: "nothing",
  workspace: "nothing",
  "call-count": "nothing",
  "workspace-entry": "nothing",
  setting: "nothing",
  "signing-key": "nothing",
  "records-key": "nothing",
  "public-records-key": "nothing",
  "being-erased": "removed",
  "erasure-count": "nothing",
  receipt: "nothing",
  "auth-token": "nothing",
  "auth-token-list": "nothing",
  "created-auth-token": "nothing",
  "revoked-auth-token": "nothing",
  domain: "nothing",
  // Hashes of addresses: who wants no mail gets none after an erasure either.
  "bounced-address": "nothing",
  "complained-address": "nothing",
  "webhook-endpoint": "nothing",
  "webhook-rate": "nothing",
  "pending-delivery": "redacted",
  "logged-delivery": "redacted",
  organization: "nothing",
  "organization-entry": "nothing",
  "deletion-mark": "nothing",
  user: "ends",
  "slack-user": "removed",
  "user-properties": "removed",
  "user-group": "nothing",
  "user-group-member": "removed",
  folder: "nothing",
  "folder-child": "nothing",
  document: "nothing",
  "document-metadata": "nothing",
  "document-locator": "nothing",
  migration: "nothing",
  "document-owner": "nothing",
  "folder-grant": "removed",
  "folder-grantee": "removed",
  "document-grant": "removed",
  location: "nothing",
  "location-node": "redacted",
  "merged-location": "nothing",
  feature: "redacted",
  "feature-entry": "redacted",
  "feature-id": "nothing",
  "former-participants": "redacted",
  participation: "removed",
  preference: "removed",
  presence: "removed",
  "editor-content": "nothing",
  "editor-state-part": "nothing",
  "editor-update": "nothing",
  notification: "redacted",
  "notification-pointer": "nothing",
  "recipient-list": "redacted",
  "inbox-entry": "removed",
  "read-mark": "removed",
  "acted-entry": "removed",
  "read-up-to": "removed",
  "deleted-notification": "removed",
  "document-watcher": "removed",
  "organization-watcher": "removed",
  "waiting-message": "removed",
  "due-message": "removed",
  "open-message": "removed",
  "handled-events": "removed",
  "channel-pause": "nothing",
  "address-key": "nothing",
  "address-count": "nothing",
  "address-share": "nothing",
  "message-count": "nothing",
  message: "removed",
  "message-of-user": "removed",
  "activity-entry": "removed",
  "activity-chain": "nothing",
  activity: "redacted",
  "activity-id": "nothing",
  "listed-activity": "removed",
  judgment: "redacted",
  "judgment-record": "nothing",
  "judgment-month": "nothing",
  "judgment-change": "nothing",
  agent: "nothing",
  "knowledge-source": "nothing",
  "knowledge-chunk": "nothing",
  "ingest-run": "nothing",
  "waiting-slot": "nothing",
  "idempotent-call": "ends",
  "idempotent-call-part": "ends",
  "idempotent-call-steps": "ends",
  job: "redacted",
};

it("says for each entity what an erasure does with its items", () => {
  const names = entities.map(({ name }) => name);
  const message = "Say in `coverage` what an erasure of a user does with the items of each entity.";
  expect(Object.keys(coverage).sort(), message).toEqual(names.sort());
});

/** The entities of the items that name the user in their keys or attributes. */
async function entitiesNaming(workspace: string): Promise<string[]> {
  const texts = (await itemsOf(workspace)).map((item) => [String(item.entity), JSON.stringify(item)] as const);
  const naming = texts.filter(([, text]) => text.includes(ann) || text.includes(segment(ann)));
  return [...new Set(naming.map(([entity]) => entity))].sort();
}

it("leaves no user in the table except where it says so, in a workspace that has an item of each entity", async () => {
  const workspace = await furnish();
  const before = await entitiesNaming(workspace);
  expect(before.length).toBeGreaterThan(15);
  const untouched = before.filter((entity) => coverage[entity] === "nothing");
  expect(untouched, "These items name a user, but `coverage` says `nothing`.").toEqual([]);
  await erased(await beginErasure(workspace, { userIds: [ann] }));
  expect(await entitiesNaming(workspace)).toEqual(["user"]);
});

/** Fields of events whose values are no users, although they are strings. */
const otherFields =
  /^(?:\w*(?:annotation|comment|editor|document|folder|organization|reaction|recording|migration|notification|endpoint|location|group|delivery|agent|token)Ids?|id|\w*Name|name|type|contentKey|until|notificationSource|reason|status|priority|\w*Type|organizationUserGroupId)$/i;

it("knows which fields of an event hold users", () => {
  const unknown = Object.entries(eventSchemas).flatMap(([type, schema]) =>
    stringFields(schema).flatMap((field) =>
      userFields.test(field) || otherFields.test(field) ? [] : `${type} ${field}`,
    ),
  );
  expect(unknown, "Add them to `userFields` of lib/erasure/event-users.ts, or to `otherFields` here.").toEqual([]);
});

/** The names of the fields that hold strings, or lists of strings, at any depth. */
function stringFields(schema: unknown, name = ""): string[] {
  const { type, shape, element, innerType } = (schema as { _zod: { def: Record<string, unknown> } })._zod.def;
  if (type === "string") return [name];
  if (element) return stringFields(element, name);
  if (innerType) return stringFields(innerType, name);
  return Object.entries((shape ?? {}) as object).flatMap(([key, inner]) => stringFields(inner, key));
}
