// A workspace that holds one of everything, with two organizations and a user in all of it.

import * as Table from "../../lib/dynamodb/table.ts";
import type { Write } from "../../lib/dynamodb/write.ts";
import { newJob } from "../../lib/jobs/queue.ts";
import * as AuthToken from "../../lib/store/auth-token.ts";
import * as Blob from "../../lib/store/blob.ts";
import { dataKeys, featureKinds } from "../../lib/store/data-keys.ts";
import * as Document from "../../lib/store/document.ts";
import * as Folder from "../../lib/store/folder.ts";
import * as Grant from "../../lib/store/grant.ts";
import { keys, segment } from "../../lib/store/keys.ts";
import * as Knowledge from "../../lib/store/knowledge.ts";
import { memoryKeys } from "../../lib/store/memory-keys.ts";
import * as Organization from "../../lib/store/organization.ts";
import * as Setting from "../../lib/store/setting.ts";
import * as SigningKey from "../../lib/store/signing-key.ts";
import * as User from "../../lib/store/user.ts";
import * as UserGroup from "../../lib/store/user-group.ts";
import * as Workspace from "../../lib/store/workspace.ts";

export const [ann, ben] = ["ann#1", "ben"];
const createdAt = "2026-01-01T00:00:00.000Z";
export const at = createdAt;

/** Its API key. */
export async function furnish(): Promise<string> {
  const { apiKey } = await Workspace.create({ name: "furnished" });
  await AuthToken.create(apiKey);
  await Setting.update(apiKey, "switches", { advancedQueries: true });
  await SigningKey.create(apiKey, { kid: "k", publicJwk: {}, privateSealed: "" });
  await Organization.createMissing(apiKey, [{ organizationId: "o" }, { organizationId: "o#2" }]);
  await Knowledge.add(apiKey, { sourceId: "s", uid: "uid-of-s", mimeType: "text/plain" }, ["a", "b".repeat(2_000)]);
  await put([
    { put: { ...keys.ingestRun(apiKey, "file"), fingerprint: "file" } },
    // One that was stopped before it had all its chunks.
    { put: { ...memoryKeys.source(apiKey, "half"), uid: "uid-of-half" } },
    { put: { ...memoryKeys.chunk(apiKey, "uid-of-half", 0), text: "a" } },
  ]);
  await Blob.put(apiKey, "file", Buffer.from("a"));
  for (const organizationId of ["o", "o#2"]) await put(organization(apiKey, organizationId));
  const [job] = [newJob("migrate", apiKey, { organizationId: "o", migrationId: "gone" }, 3_600)];
  await Table.commit([], { jobs: [job, newJob("fanout", apiKey, { events: [] })] });
  return apiKey;
}

async function put(writes: Write[]): Promise<void> {
  await Table.commitEach(writes.map((write) => ({ writes: [write] })));
}

function organization(w: string, o: string): Write[] {
  const uid = `uid-of-${segment(o)}`;
  const document = { documentId: "d", uid, ancestors: ["f"], createdAt };
  const migration = { migrationId: "m", documentId: "d", newDocumentId: "e", uid };
  return [
    ...[ann, ben].map((id) => User.change(w, o, id, { profile: { name: id }, grant: { accessRole: "editor" } }, "new")),
    User.mention(w, o, "guest"),
    ...Folder.creation(w, o, { folderId: "f", ancestors: [], createdAt }),
    ...[ann, "guest"].map((userId) => Grant.onFolder(w, o, "f", { userId, life: 0, accessRole: "viewer" })),
    ...Document.creation(w, o, document, undefined),
    ...documentData(w, o, uid),
    // An id that is reserved by grants, and one whose reservation waits for a migration to bring its grants along.
    { put: { ...keys.document(w, o, "reserved"), documentId: "reserved", uid: `${uid}-reserved` } },
    Grant.onDocument(w, `${uid}-reserved`, { userId: ann, life: 0, accessRole: "viewer" }),
    { put: { ...dataKeys.migration(w, o, "m"), ...migration, reservedUid: `${uid}-left`, status: "in_progress" } },
    Grant.onDocument(w, `${uid}-left`, { userId: ben, life: 0, accessRole: "viewer" }),
    UserGroup.creation(w, o, "g#1"),
    ...[ann, ben].map((id) => UserGroup.joining(w, o, "g#1", id)),
  ];
}

/** All that can hang from a document, of both users. */
export function documentData(w: string, o: string, uid: string): Write[] {
  const note = { notificationId: "n#1", organizationId: o, at };
  const content = JSON.stringify({ actionUser: { userId: ann, name: "Ann" }, notifyUsers: [{ userId: ben }] });
  return [
    { put: { ...dataKeys.owner(w, uid), organizationId: o, documentId: "d" } },
    ...[ann, ben].flatMap((userId): Write[] => [
      Grant.onDocument(w, uid, { userId, life: 0, accessRole: "viewer" }),
      { put: { ...dataKeys.preference(w, uid, userId), userId } },
      { put: { ...dataKeys.presence(w, uid, userId), userId } },
      { put: { ...dataKeys.userNotification(w, o, userId, at, "n#1"), notificationId: "n#1" } },
    ]),
    { put: { ...dataKeys.crdt(w, uid, "editor") } },
    { put: { ...dataKeys.crdtPart(w, uid, "editor", 1) } },
    { put: { ...dataKeys.location(w, uid, "here"), luid: "l1" } },
    { put: { ...dataKeys.locationNode(w, uid, "l1"), luid: "l1" } },
    { put: { ...dataKeys.locationNode(w, uid, "l2"), luid: "l2" } },
    { put: { ...dataKeys.merged(w, uid, "l1", "l2") } },
    ...featureKinds.flatMap((kind) =>
      [feature(w, o, uid, "l1", kind, ann), feature(w, o, uid, "l2", kind, ben)].flat(),
    ),
    { put: { ...dataKeys.notification(w, uid, at, "n#1"), ...note, content } },
    { put: { ...dataKeys.notificationName(w, o, "n#1"), uid } },
    { put: { ...dataKeys.recipients(w, uid, "n#1", "named"), ...note, userIds: [ann, ben] } },
  ];
}

/** A piece of feature data by one of the two, in which the other takes part. */
function feature(
  w: string,
  organizationId: string,
  uid: string,
  luid: string,
  kind: "comments" | "reactions" | "recordings",
  by: string,
): Write[] {
  const historySk = dataKeys.participationSk(at, luid, "1");
  const replies = [ann, ben].map((userId) => ({ from: { userId, name: userId }, text: `by ${userId}` }));
  const record = JSON.stringify({
    id: "1",
    from: { userId: by, name: by },
    assignedTo: { userId: ann, name: "Ann" },
    comments: replies,
  });
  return [
    {
      put: {
        ...dataKeys.feature(w, uid, luid, kind, "1"),
        organizationId,
        participants: [ann, ben],
        historySk,
        record,
      },
    },
    ...[ann, ben].map((userId) => ({ put: { ...dataKeys.participation(w, organizationId, userId, kind, historySk) } })),
  ];
}
