// The keys of all entities: no id can form a key of another entity or another workspace.
import { describe, expect, it } from "vitest";
import { featureKinds } from "../../../lib/schema/feature-kinds.ts";
import { childEntity, root } from "../../../lib/store/content/folder-child.ts";
import { entities } from "../../../lib/store/entities.ts";
import type { ListedEntity } from "../../../lib/store/listed-entity.ts";
import { firstFolderUid, isWithin, nextFolderUid } from "../../../lib/store/refs.ts";
import { anyId } from "../../support/any-id.ts";
import fc from "../../support/property.ts";

type Ref = Record<string, string | number>;

/** The names of ids that callers choose, as fields of refs. */
const callerIds = [
  "workspace",
  "organizationId",
  "userId",
  "folderId",
  "childId",
  "documentId",
  "organizationUserGroupId",
  "migrationId",
  "notificationId",
  "endpointId",
  "domain",
  "identity",
  "editorId",
  "recordId",
  "agentId",
  "sourceId",
  "activityId",
  "tokenId",
  "id",
] as const;

/** Values of keys that the service generates. */
const uuid = "2f1c7a52-0000-4000-8000-000000000000";
const sha256 = "a".repeat(64);
const own = {
  documentUid: uuid,
  folderUid: uuid,
  locationUid: uuid,
  mergedUid: uuid,
  sourceUid: uuid,
  claimId: uuid,
  jobId: uuid,
  callHash: sha256,
  hash: sha256,
  listHash: sha256,
  fingerprint: sha256,
  setting: "switches",
  at: "2026-01-01T00:00:00.000Z",
  createdAt: "2026-01-01T00:00:00.000Z",
  month: "2026-01",
  dueAt: 0,
  index: 0,
  part: 1,
  segment: 1,
  version: 1,
  shard: 1,
  channel: "email",
  origin: "job_0",
  messageId: "mes_1767225600000_AAAAAAAAAAAAAAAAAAAAAA",
  callId: "call",
  nonce: "nonce",
  first: 0,
  sequence: 1,
  listName: "A",
  addressHash: sha256,
  userHash: sha256,
};
const messageId = "msg_1767225600000_AAAAAAAAAAAAAAAAAAAAAA";

/** The keys of one entity, and of one value of `kind` if the entity's keys have it. */
interface Family {
  keyOf(ids: Ref): { pk: string; sk: string };
  /** The names of the caller's ids that are part of the key. */
  ids: string[];
}

const kindsOf: Record<string, readonly string[]> = {
  "folder-child": ["document", "folder"],
  feature: featureKinds,
  "feature-entry": featureKinds,
  "feature-id": featureKinds,
  "former-participants": featureKinds,
  participation: featureKinds,
};

/** Whether `id` is the id of a webhook message, which the service generates. */
const hasMessageId = ({ name }: ListedEntity) => /^(?:pending|logged)-delivery$/.test(name);

function familyOf(entity: ListedEntity, kind: string): Family {
  const keyOf = (ids: Ref) => entity.keyOf({ ...ids, ...own, kind, ...(hasMessageId(entity) && { id: messageId }) });
  const plain = Object.fromEntries(callerIds.map((name) => [name, "a"]));
  const textOf = (ids: Ref) => JSON.stringify(keyOf(ids));
  return { keyOf, ids: callerIds.filter((name) => textOf({ ...plain, [name]: "b" }) !== textOf(plain)) };
}

const families: ReadonlyMap<string, Family> = new Map(
  entities.flatMap((entity) =>
    (kindsOf[entity.name] ?? [""]).map((kind) => [`${entity.name} ${kind}`, familyOf(entity, kind)] as const),
  ),
);
const familyOfName = (name: string) => families.get(name) as Family;
const anyFamily = fc.constantFrom(...families.keys());
const idsFrom = (id: fc.Arbitrary<string>) => fc.record(Object.fromEntries(callerIds.map((name) => [name, id])));

/**
 * Ids that contain parts of keys. Without escaping, the organization `o#G#g` would have the key of the member `ORG` in
 * the group `g` of the organization `o`.
 */
const keyParts = ["o", "g", "ORG", "o#G#g", "w", "w#O#o"];

describe("keys", () => {
  it("are equal only for the same entity and the same ids", () => {
    fc.assert(
      fc.property(anyFamily, anyFamily, idsFrom(anyId), idsFrom(anyId), (one, other, these, those) => {
        const [a, b] = [familyOfName(one).keyOf(these), familyOfName(other).keyOf(those)];
        if (a.pk !== b.pk || a.sk !== b.sk) return;
        expect(one).toBe(other);
        for (const name of familyOfName(one).ids) expect(these[name]).toBe(those[name]);
      }),
      { numRuns: 3_000 },
    );
  });

  it("differ for ids that contain parts of other keys", () => {
    const combinations = (names: string[]): Ref[] =>
      names.reduce<Ref[]>((refs, name) => refs.flatMap((ref) => keyParts.map((id) => ({ ...ref, [name]: id }))), [{}]);
    const plain = Object.fromEntries(callerIds.map((name) => [name, "a"]));
    const made = [...families.values()].flatMap(({ ids, keyOf }) =>
      combinations(ids).map((ref) => JSON.stringify(keyOf({ ...plain, ...ref }))),
    );
    expect(made.length).toBeGreaterThan(10_000);
    expect(new Set(made).size).toBe(made.length);
  });

  it("are only in partitions of their own workspace", () => {
    const tenants = fc.constantFrom("w", "w#O#o", "w#X#1", "w%23O", "W", "W#w");
    const within = fc.constantFrom(
      ...[...families.keys()].filter(
        (name) => !/^(?:workspace-entry|job|format|address-key|address-count|bounced-address) /.test(name),
      ),
    );
    fc.assert(
      fc.property(tenants, tenants, within, idsFrom(anyId), (workspace, other, name, ids) => {
        const { pk } = familyOfName(name).keyOf({ ...ids, workspace });
        expect(isWithin(workspace, pk)).toBe(true);
        expect(isWithin(other, pk)).toBe(workspace === other);
      }),
      { numRuns: 2_000 },
    );
  });

  it("have at most the 2,048 and 1,024 bytes that DynamoDB allows, for the longest ids too", () => {
    const longest = fc.constantFrom(
      "🦜".repeat(256),
      "#".repeat(100),
      "%".repeat(256),
      "é".repeat(150),
      "a".repeat(256),
    );
    fc.assert(
      fc.property(anyFamily, idsFrom(longest), (name, ids) => {
        const { pk, sk } = familyOfName(name).keyOf(ids);
        expect(Buffer.byteLength(pk)).toBeLessThanOrEqual(2_048);
        expect(Buffer.byteLength(sk)).toBeLessThanOrEqual(1_024);
      }),
      { numRuns: 1_000 },
    );
  });

  it("differ between a folder's documents and folders, and between the root's children and those of any folder", () => {
    const organization = { workspace: "w", organizationId: "o" };
    const skOf = (kind: "document" | "folder") =>
      childEntity.key({ ...organization, folderUid: root, kind, childId: "x" }).sk;
    expect(skOf("document")).not.toBe(skOf("folder"));
    const atRoot = childEntity.partition({ ...organization, folderUid: root });
    fc.assert(
      fc.property(anyId, (folderId) => {
        expect(childEntity.partition({ ...organization, folderUid: firstFolderUid(folderId) })).not.toBe(atRoot);
      }),
    );
  });

  it("differ between the first folders of any ids, and between these and all later folders", () => {
    const next = nextFolderUid();
    const likeLater = fc.constantFrom(next, next.replace("%F", "%25F"), "%F", `%${next}`);
    fc.assert(
      fc.property(fc.oneof(anyId, likeLater), fc.oneof(anyId, likeLater), (one, other) => {
        expect(firstFolderUid(one) === firstFolderUid(other)).toBe(one === other);
        expect(firstFolderUid(one)).not.toMatch(/^%F/);
      }),
    );
  });
});
