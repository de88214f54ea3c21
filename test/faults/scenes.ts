// The initial items and the job of each fault test: a little more than a batch and a page, so that every call occurs.
import { createMissing } from "../../lib/content/existing.ts";
import { addUpdate } from "../../lib/crdt/add-update.ts";
import { mergeJob } from "../../lib/crdt/merge-job.ts";
import { encode } from "../../lib/crdt/state.ts";
import { beginDeletion } from "../../lib/deletion/delete-organization.ts";
import { purgeJob } from "../../lib/deletion/purge-job.ts";
import { putAll } from "../../lib/dynamodb/batch-write.ts";
import { shardCount, shardOf } from "../../lib/dynamodb/key.ts";
import type { Write } from "../../lib/dynamodb/write.ts";
import { beginErasure } from "../../lib/erasure/begin.ts";
import { startRun } from "../../lib/ingest/start-run.ts";
import { commit, commitEach } from "../../lib/jobs/commit.ts";
import { wake } from "../../lib/jobs/wake.ts";
import { storedContent } from "../../lib/notifications/stored-content.ts";
import type { NotifyPayload } from "../../lib/notify/notify-run.ts";
import { purposes, seal } from "../../lib/secrets.ts";
import * as Grant from "../../lib/store/access/grant.ts";
import { userEntity } from "../../lib/store/access/user.ts";
import * as UserGroup from "../../lib/store/access/user-group.ts";
import * as IngestRun from "../../lib/store/ai/ingest-run.ts";
import { addJudgments } from "../../lib/store/ai/judgment-changes.ts";
import * as Blob from "../../lib/store/blob.ts";
import * as Document from "../../lib/store/content/document.ts";
import * as Folder from "../../lib/store/content/folder.ts";
import * as Migration from "../../lib/store/content/migration.ts";
import { ownerEntity } from "../../lib/store/content/owner.ts";
import * as Crdt from "../../lib/store/crdt/crdt.ts";
import { type Job, newJob } from "../../lib/store/job.ts";
import * as Notification from "../../lib/store/notifications/notification.ts";
import { preferenceEntity } from "../../lib/store/notifications/preference.ts";
import { type DocumentUid, documentDataPartition, firstFolderUid } from "../../lib/store/refs.ts";
import * as Setting from "../../lib/store/setting.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import type { AwsCommand } from "../support/aws/edge.ts";
import type { Scene } from "../support/aws/faults.ts";
import { typed } from "../support/crdt.ts";
import { ann, at, documentData } from "../support/furnished-table.ts";
import { numbered } from "../support/notifications.ts";
import { addEndpoint, eventOf, hooked } from "../support/webhooks.ts";

export const organizationId = "o";
const [documentUid, reservedUid] = ["x", "r"] as [DocumentUid, DocumentUid];
export const document = { documentId: "d", documentUid, ancestors: [], createdAt: at };
const documentIn = (workspace: string) => ({ workspace, organizationId, documentUid });
export const put = (writes: Write[]) => commitEach(writes.map((write) => ({ writes: [write] })));

/** A workspace with these items and this job. */
async function started(writes: (workspace: string) => Write[], jobOf: (workspace: string) => Job): Promise<string> {
  const { apiKey } = await Workspace.create({ name: "faults" });
  await put(writes(apiKey));
  await commit([], { jobs: [jobOf(apiKey)] });
  return apiKey;
}

const pagesOf =
  (size: number) =>
  ({ constructor: { name }, input }: AwsCommand) => {
    if (name === "QueryCommand" && !input.IndexName) input.Limit = size;
  };

const documentWith = (workspace: string) => [
  ...Document.creation({ workspace, organizationId }, document, undefined),
  ...documentData(documentIn(workspace)),
];

export const migration: Scene = {
  arrange: async () => {
    const ids = { documentId: "d", newDocumentId: "e", documentUid };
    const { apiKey } = await Workspace.create({ name: "faults" });
    const ref = { workspace: apiKey, organizationId };
    const own = { workspace: apiKey, documentUid };
    const reserved = { workspace: apiKey, documentUid: reservedUid };
    const reservation = { organizationId, documentId: "e", documentUid: reservedUid };
    await Setting.update({ workspace: apiKey }, "webhooks", { wantedEvents: ["migration.completed"] });
    await put([
      ...Document.creation(ref, document, undefined),
      Document.documentEntity.put({ ...ref, documentId: "e" }, reservation),
      ...numbered(3, "u").map((userId) => Grant.onDocument(reserved, { userId, generation: 0, accessRole: "viewer" })),
      Grant.onDocument(own, { userId: "u0", generation: 0, accessRole: "editor" }),
      Migration.creation({ ...ref, migrationId: "m" }, ids),
    ]);
    await commit([], { jobs: [newJob("migrate", apiKey, { organizationId, migrationId: "m" })] });
    return apiKey;
  },
  before: pagesOf(2),
};

export const documentPurge: Scene = {
  arrange: () =>
    started(
      (workspace) => documentData(documentIn(workspace)),
      (workspace) => purgeJob(workspace, [documentDataPartition(documentIn(workspace))]),
    ),
  before: pagesOf(6),
};

export const erasure: Scene = {
  async arrange() {
    const { apiKey } = await Workspace.create({ name: "faults" });
    await put(documentWith(apiKey));
    await beginErasure(apiKey, { organizationId, userIds: [ann] });
    return apiKey;
  },
};

/** A little of everything. Two items are more than a page. */
export const organizationDeletion: Scene = {
  async arrange() {
    const { apiKey: workspace } = await Workspace.create({ name: "faults" });
    const ref = { workspace, organizationId };
    const group = { ...ref, organizationUserGroupId: "g", groupUid: "x" };
    const judgment = {
      decision: "agree",
      reasoning: "r",
      actionUser: { userId: ann },
      organizationId,
      createdAt: at,
    } as const;
    await createMissing({ workspace }, [{ organizationId }, { organizationId: "kept" }]);
    await put([
      ...documentWith(workspace),
      ...numbered(3, "u").map((userId) =>
        userEntity.put({ ...ref, userId }, { organizationId, userId, createdAt: at, updatedAt: at }),
      ),
      UserGroup.userGroupEntity.put(group, { ...group, createdAt: at }),
      ...numbered(3, "u").map((userId) => UserGroup.joining(group, { userId })),
      Migration.creation({ ...ref, migrationId: "m" }, { documentId: "d", newDocumentId: "e", documentUid }),
    ]);
    await addJudgments({ workspace }, [
      { ...judgment, recordId: "one" },
      { ...judgment, recordId: "two" },
      { ...judgment, recordId: "kept", organizationId: "kept" },
    ]);
    await beginDeletion(ref);
    return workspace;
  },
  before: pagesOf(2),
};

/** The first one wants no notification. The number of the others is one more than a batch takes. */
export const named = numbered(27, "n");
/** Members in two shards only, so that a step has few calls. */
export const members = numbered(400, "m")
  .filter((id) => shardOf(id) < 2)
  .slice(0, 30);

const cursorsOfTwoShards: NotifyPayload["cursors"] = Array.from({ length: shardCount }, (_, shard) =>
  shard < 2 ? "" : null,
);

const ofOneLife = { organizationUserGroupId: "g", groupUid: "x" };
const groupOf = (workspace: string) => ({ workspace, organizationId, ...ofOneLife });
const withoutGroups: NotifyPayload["cursors"] = Array(shardCount + 1).fill(null);

function notification(cursors?: NotifyPayload["cursors"], groups: UserGroup.StoredLife[] = []): Scene {
  const pointer = { organizationId, documentUid, at, notificationId: "n" };
  return {
    async arrange() {
      const { apiKey } = await Workspace.create({ name: "faults" });
      const notifyUsers = named.map((userId) => ({ userId }));
      const asked = { actionUser: { userId: "ann" }, notifyUsers, notifyAll: false, isNotificationResolverUsed: true };
      const organization = { workspace: apiKey, organizationId };
      const ref = { ...pointer, workspace: apiKey };
      await createMissing({ workspace: apiKey }, [{ organizationId }]);
      const member = { organizationId, accessRole: "viewer", updatedAt: at } as const;
      const preference = { generation: 0, inbox: "NONE" } as const;
      await putAll([
        ...members.map((userId) => userEntity.put({ ...organization, userId }, { ...member, userId })),
        UserGroup.userGroupEntity.put(groupOf(apiKey), { organizationId, ...ofOneLife, createdAt: at }),
        ...members.map((userId) => UserGroup.groupMemberEntity.put({ ...groupOf(apiKey), userId }, { userId })),
        ...["n0", members[0] as string].map((userId) =>
          preferenceEntity.put({ ...ref, userId }, { ...preference, userId }),
        ),
      ]);
      await put([
        ...Document.creation(organization, document, undefined),
        ownerEntity.put(ref, { organizationId, documentId: "d" }),
        ...Notification.creation(ref, {
          documentId: "d",
          actorId: asked.actionUser.userId,
          content: storedContent(asked),
        }),
      ]);
      const job = Notification.notifyJob(ref, groups);
      await commit([], { jobs: [{ ...job, payload: { ...job.payload, ...(cursors && { cursors }) } }] });
      return apiKey;
    },
    before: pagesOf(14),
    // Enough time for the first step, and too little for a second one.
    remainingMs: 9_900,
  };
}

export const notificationOfNamed = notification();
export const notificationOfMembers = notification(cursorsOfTwoShards);
/** Each recipient is a member of the organization too. */
export const notificationOfGroup = notification([...(cursorsOfTwoShards ?? []), null, ""], [ofOneLife]);
export const notificationOfGroupOnly = notification([...(withoutGroups ?? []), ""], [ofOneLife]);

/** The updates of an editor, with content of `characters`. */
export function updates(characters: number): Scene {
  return {
    arrange: async () => {
      const { apiKey: workspace } = await Workspace.create({ name: "faults" });
      const ref = { workspace, documentUid, editorId: "e" };
      const base = "x".repeat(characters);
      const state = encode({ type: "text", contentKey: "content", data: base });
      await put([ownerEntity.put(ref, { organizationId, documentId: "d" })]);
      await commit(Crdt.creation(ref, { type: "text", contentKey: "content", state }));
      const call = { ...ref, organizationId, documentId: "d" };
      for (const update of typed(["a", "b", "c"])) await addUpdate(call, { update });
      const editor = (await Crdt.get(ref)) as Crdt.Editor;
      await wake([mergeJob({ ...ref, generation: editor.generation })]);
      return workspace;
    },
  };
}

/** An extraction with the model at `baseUrl`, from a file with more chunks than a batch takes. */
export function extraction(baseUrl: () => string): Scene {
  return {
    async arrange() {
      const { apiKey } = await Workspace.create({ name: "faults" });
      const openaiApiKeySealed = await seal("k", { workspace: apiKey, purpose: purposes.aiKey.openai });
      const ai = { openaiApiKeySealed, openaiBaseUrl: baseUrl() };
      await Setting.change({ workspace: apiKey }, "ai", undefined, () => ai);
      const bytes = Buffer.from(numbered(27, `${"Check all of it. ".repeat(80)}`).join("\n"));
      const asked = {
        runId: "r",
        fingerprint: IngestRun.fingerprintOf(bytes, "text", undefined),
        mimeType: "text/plain",
      };
      await Blob.put({ workspace: apiKey }, asked.fingerprint, bytes);
      await startRun(
        { workspace: apiKey },
        { ...asked, state: "running", startedAt: Date.now(), vendorCalls: 0 },
        undefined,
      );
      return apiKey;
    },
  };
}

/** Events for an endpoint at `url`. */
export function webhooks(url: () => string, rateLimit?: number): Scene {
  return {
    async arrange() {
      const { apiKey } = await hooked();
      await addEndpoint(apiKey, { url: url(), ...(rateLimit && { rateLimit }) });
      const events = ["a", "b", "c"].map((id) => eventOf(apiKey, id));
      await commit([], {
        jobs: [newJob("fanout", apiKey, { eventsJson: JSON.stringify(events), createdAt: new Date().toISOString() })],
      });
      return apiKey;
    },
  };
}

/** The folder `f` with two documents, and the folder `g` below it with one and a grant. The folder `other` is kept. */
export const folderDeletion: Scene = {
  arrange: async () => {
    const { apiKey: workspace } = await Workspace.create({ name: "faults" });
    const ref = { workspace, organizationId };
    const folderOf = (folderId: string, ...ancestors: string[]) => ({ folderId, ancestors, createdAt: at });
    const documentOf = (documentId: string, ...ancestors: string[]) => {
      const created = { documentId, documentUid: `uid-${documentId}` as DocumentUid, ancestors, createdAt: at };
      return Document.creation(ref, created, undefined);
    };
    const folder = { organizationId, folderId: "f", folderUid: firstFolderUid("f"), isRecursive: true };
    const job = { ...newJob("purge", workspace, { folder }), shownAs: "folder-deletion" as const };
    const grant = { userId: ann, generation: 0, accessRole: "viewer" as const };
    await put([
      ...Folder.creation(ref, { ...folderOf("f"), deletionJobId: job.id }),
      ...Folder.creation(ref, folderOf("g", "f")),
      ...Folder.creation(ref, folderOf("other")),
      ...documentOf("d1", "f"),
      ...documentOf("d2", "f"),
      ...documentOf("d3", "g", "f"),
      ...documentOf("d4", "other"),
      ...Grant.onFolder({ ...ref, folderUid: firstFolderUid("g") }, grant),
      ...Grant.onFolder({ ...ref, folderUid: firstFolderUid("other") }, grant),
    ]);
    await commit([], { jobs: [job] });
    return workspace;
  },
  before: pagesOf(1),
};
