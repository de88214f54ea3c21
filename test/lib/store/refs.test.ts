// Keys of the table: no id that a client chooses leads to another entity or to another workspace.
import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Key } from "../../../lib/dynamodb/key.ts";
import { agentEntity } from "../../../lib/store/agent.ts";
import { editorContentEntity, editorContentPartEntity } from "../../../lib/store/crdt.ts";
import { documentEntity, locatorEntity } from "../../../lib/store/document.ts";
import { domainEntity } from "../../../lib/store/domain.ts";
import { childEntity, folderEntity, root } from "../../../lib/store/folder.ts";
import { documentGrantEntity, folderGrantEntity } from "../../../lib/store/grant.ts";
import { idempotentCallEntity, replyPartEntity } from "../../../lib/store/idempotency.ts";
import { migrationEntity } from "../../../lib/store/migration.ts";
import { notificationPointerEntity } from "../../../lib/store/notification.ts";
import { organizationEntity, organizationEntryEntity } from "../../../lib/store/organization.ts";
import { presenceEntity } from "../../../lib/store/presence.ts";
import { type DocumentUid, isWithin, workspacePartition } from "../../../lib/store/refs.ts";
import { settingEntity } from "../../../lib/store/setting.ts";
import { signingKeyEntity } from "../../../lib/store/signing-key.ts";
import { userEntity } from "../../../lib/store/user.ts";
import { groupMemberEntity, userGroupEntity } from "../../../lib/store/user-group.ts";
import { webhookEndpointEntity } from "../../../lib/store/webhook-endpoint.ts";
import { workspaceEntity, workspaceEntryEntity } from "../../../lib/store/workspace.ts";
import { anyId } from "../../support/any-id.ts";
import fc from "../../support/property.ts";

const documentUid = "2f1c7a52-0000-4000-8000-000000000000" as DocumentUid;
const claimId = documentUid;
const sha256 = (text: string) => hash("sha256", text, "hex");
const inOrganization = (workspace: string, organizationId: string) => ({ workspace, organizationId });

/** How each kind of key is built from ids, and how many of them it takes. */
const kinds: Record<string, [count: number, keyOf: (a: string, b: string, c: string, d: string) => Key]> = {
  workspace: [1, (workspace) => workspaceEntity.key({ workspace })],
  workspaceEntry: [1, (workspace) => workspaceEntryEntity.key({ workspace })],
  setting: [1, (workspace) => settingEntity.key({ workspace, setting: "switches" })],
  signingKey: [1, (workspace) => signingKeyEntity.key({ workspace })],
  domain: [2, (workspace, domain) => domainEntity.key({ workspace, domain })],
  webhookEndpoint: [2, (workspace, endpointId) => webhookEndpointEntity.key({ workspace, endpointId })],
  agent: [2, (workspace, agentId) => agentEntity.key({ workspace, agentId })],
  organization: [2, (a, b) => organizationEntity.key(inOrganization(a, b))],
  organizationEntry: [2, (a, b) => organizationEntryEntity.key(inOrganization(a, b))],
  user: [3, (a, b, userId) => userEntity.key({ ...inOrganization(a, b), userId })],
  folder: [3, (a, b, folderId) => folderEntity.key({ ...inOrganization(a, b), folderId })],
  document: [3, (a, b, documentId) => documentEntity.key({ ...inOrganization(a, b), documentId })],
  migration: [3, (a, b, migrationId) => migrationEntity.key({ ...inOrganization(a, b), migrationId })],
  notificationPointer: [
    3,
    (a, b, notificationId) => notificationPointerEntity.key({ ...inOrganization(a, b), notificationId }),
  ],
  documentLocator: [
    3,
    (workspace, documentId, organizationId) => locatorEntity.key({ workspace, documentId, organizationId }),
  ],
  userGroup: [
    3,
    (a, b, organizationUserGroupId) => userGroupEntity.key({ ...inOrganization(a, b), organizationUserGroupId }),
  ],
  folderGrant: [4, (a, b, userId, folderId) => folderGrantEntity.key({ ...inOrganization(a, b), userId, folderId })],
  childDocument: [4, (a, b, ...ids) => childEntity.key({ ...inOrganization(a, b), ...childOf("document", ids) })],
  childFolder: [4, (a, b, ...ids) => childEntity.key({ ...inOrganization(a, b), ...childOf("folder", ids) })],
  groupMember: [
    4,
    (a, b, organizationUserGroupId, userId) =>
      groupMemberEntity.key({ ...inOrganization(a, b), organizationUserGroupId, userId }),
  ],
  documentGrant: [2, (workspace, userId) => documentGrantEntity.key({ workspace, documentUid, userId })],
  presence: [2, (workspace, userId) => presenceEntity.key({ workspace, documentUid, userId })],
  editorContent: [2, (workspace, editorId) => editorContentEntity.key({ workspace, documentUid, editorId })],
  editorContentPart: [
    2,
    (workspace, editorId) => editorContentPartEntity.key({ workspace, documentUid, editorId, part: 1 }),
  ],
  idempotentCall: [2, (workspace, call) => idempotentCallEntity.key({ workspace, callHash: sha256(call) })],
  replyPart: [2, (workspace, call) => replyPartEntity.key({ workspace, callHash: sha256(call), claimId, index: 0 })],
};

function childOf(kind: "document" | "folder", [parentId, childId]: [string, string]) {
  return { parentId, kind, childId };
}

type Ids = [string, string, string, string];
const ids = fc.tuple(anyId, anyId, anyId, anyId);
/** Ids made of other keys' pieces: unescaped, an organization `o#G#g` would be a member `ORG` of the group `g` of `o`. */
const pieces = ["o", "g", "ORG", "o#G#g", "w", "w#O#o"];
const kind = fc.constantFrom(...Object.keys(kinds));
const countOf = (name: string) => kinds[name]?.[0] ?? 0;
const keyOf = (name: string, these: Ids) => kinds[name]?.[1](...these) as Key;

describe("keys", () => {
  it("are equal only for the same entity and the same ids", () => {
    fc.assert(
      fc.property(kind, kind, ids, ids, (one, other, these, those) => {
        const [a, b] = [keyOf(one, these), keyOf(other, those)];
        if (a.pk !== b.pk || a.sk !== b.sk) return;
        expect(one).toBe(other);
        expect(these.slice(0, countOf(one))).toEqual(those.slice(0, countOf(one)));
      }),
      { numRuns: 3_000 },
    );
  });

  it("differ for ids that are made of other keys' pieces", () => {
    const combinations = (length: number): string[][] =>
      length === 0 ? [[]] : combinations(length - 1).flatMap((rest) => pieces.map((each) => [...rest, each]));
    const made = Object.keys(kinds).flatMap((name) =>
      combinations(countOf(name)).map((chosen) => JSON.stringify(keyOf(name, chosen as Ids))),
    );
    expect(new Set(made).size).toBe(made.length);
  });

  it("of one workspace never lie in a partition of another", () => {
    const tenants = fc.constantFrom("w", "w#O#o", "w#X#1", "w%23O", "W", "W#w");
    const own = fc.constantFrom(...Object.keys(kinds).filter((name) => name !== "workspaceEntry"));
    fc.assert(
      fc.property(tenants, tenants, own, own, ids, ids, (one, other, first, second, [, ...these], [, ...those]) => {
        fc.pre(one !== other);
        expect(keyOf(first, [one, ...these]).pk).not.toBe(keyOf(second, [other, ...those]).pk);
      }),
      { numRuns: 2_000 },
    );
  });

  it("fit DynamoDB's 2,048 and 1,024 bytes, whatever the ids", () => {
    const longest = fc.constantFrom(
      "🦜".repeat(256),
      "#".repeat(100),
      "%".repeat(256),
      "é".repeat(150),
      "a".repeat(256),
    );
    fc.assert(
      fc.property(kind, fc.tuple(longest, longest, longest, longest), (name, these) => {
        const { pk, sk } = keyOf(name, these);
        expect(Buffer.byteLength(pk)).toBeLessThanOrEqual(2_048);
        expect(Buffer.byteLength(sk)).toBeLessThanOrEqual(1_024);
      }),
    );
  });

  it("separate a folder's documents from its folders", () => {
    const ref = { ...inOrganization("w", "o"), parentId: "f", childId: "x" };
    expect(childEntity.key({ ...ref, kind: "document" })).not.toEqual(childEntity.key({ ...ref, kind: "folder" }));
  });

  it("separate the root's content from every folder's", () => {
    const partition = (parentId: string) => childEntity.partition({ ...inOrganization("w", "o"), parentId });
    fc.assert(
      fc.property(anyId, (folderId) => {
        expect(partition(folderId)).not.toBe(partition(root));
      }),
    );
  });
});

describe("isWithin", () => {
  it("is true for every partition of the workspace", () => {
    const own = fc.constantFrom(...Object.keys(kinds).filter((name) => name !== "workspaceEntry"));
    fc.assert(
      fc.property(own, ids, (name, these) => {
        expect(isWithin(these[0], keyOf(name, these).pk)).toBe(true);
      }),
    );
    expect(isWithin("a", workspacePartition({ workspace: "a" }))).toBe(true);
  });

  it.each([
    ["a longer id", "a", workspacePartition({ workspace: "ab" })],
    ["a longer id's organization", "a", organizationEntity.key(inOrganization("ab", "o")).pk],
    ["an id that looks like a partition", "a", organizationEntity.key(inOrganization("a#O#o", "o")).pk],
    ["a shorter id", "ab", workspacePartition({ workspace: "a" })],
    ["the list of all workspaces", "a", workspaceEntryEntity.key({ workspace: "a" }).pk],
  ])("is false for a partition of %s", (_, workspace, pk) => {
    expect(isWithin(workspace, pk)).toBe(false);
  });
});
