// A folder is deleted with all that is in it, and the worker dies at each of its calls in turn. Just before, other calls
// add to the tree, move in and out, and give access. In the end nothing of the tree is left but what was moved out.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as documentsDataAdd from "../../functions/comments/documents-data-add.ts";
import * as documentsAdd from "../../functions/documents/documents-add.ts";
import * as documentsUpdate from "../../functions/documents/documents-update.ts";
import * as foldersAdd from "../../functions/folders/folders-add.ts";
import * as foldersDelete from "../../functions/folders/folders-delete.ts";
import * as foldersUpdate from "../../functions/folders/folders-update.ts";
import * as permissionsAdd from "../../functions/permissions/permissions-add.ts";
import { createMissing } from "../../lib/content/existing.ts";
import type { Item } from "../../lib/dynamodb/key.ts";
import * as Table from "../../lib/dynamodb/table.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import * as AuthToken from "../../lib/store/access/auth-token.ts";
import * as Grant from "../../lib/store/access/grant.ts";
import { folderGranteeEntity } from "../../lib/store/access/grant.ts";
import * as Document from "../../lib/store/content/document.ts";
import * as Folder from "../../lib/store/content/folder.ts";
import { firstChildren } from "../../lib/store/content/folder-child.ts";
import * as Crdt from "../../lib/store/crdt/crdt.ts";
import { type DocumentUid, firstFolderUid } from "../../lib/store/refs.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import { atEveryCall, type Scene } from "../support/aws/faults.ts";
import type { Credentials } from "../support/call.ts";
import { ann, at, documentData } from "../support/furnished-table.ts";
import { itemsOf } from "../support/scan.ts";
import { callSource, type EndpointSource } from "../support/source-call.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const organizationId = "o";
const uidOf = (documentId: string) => `uid-${documentId}` as DocumentUid;
/** The documents of each folder, and the folders above it. */
const tree = { f: [], g: ["f"], h: ["g", "f"] };
const documentIds = ["f1", "f2", "g1", "g2", "h1", "h2"];
let as: Credentials;

const callAt = (source: EndpointSource, data: object) => callSource(source, as, { organizationId, ...data });

/** Each document has a grant and an editor, and `h1` has an item of every entity. */
async function arrange(): Promise<string> {
  const { apiKey: workspace } = await Workspace.create({ name: "faults" });
  as = { apiKey: workspace, ...(await AuthToken.create({ workspace })) };
  const ref = { workspace, organizationId };
  const grant = { userId: ann, generation: 0, accessRole: "viewer" as const };
  await createMissing({ workspace }, [{ organizationId }]);
  const documentIn = (documentId: string, ancestors: string[]) => {
    const document = { documentId, documentUid: uidOf(documentId), ancestors, createdAt: at };
    return Document.creation(ref, document, undefined);
  };
  const writes = [
    ...Object.entries({ ...tree, other: [] }).flatMap(([folderId, ancestors]) => [
      ...Folder.creation(ref, { folderId, ancestors, createdAt: at }),
      ...Grant.onFolder({ ...ref, folderUid: firstFolderUid(folderId) }, grant),
    ]),
    ...Object.entries(tree).flatMap(([folderId, above]) =>
      documentIds.filter((id) => id.startsWith(folderId)).flatMap((id) => documentIn(id, [folderId, ...above])),
    ),
    ...documentIn("outside", []),
    ...documentIds
      .filter((id) => id !== "h1")
      .flatMap((id) => [
        Grant.onDocument({ workspace, documentUid: uidOf(id) }, grant),
        ...Crdt.creation({ workspace, documentUid: uidOf(id), editorId: "e" }, { type: "text", contentKey: "c" }),
      ]),
    ...documentData({ ...ref, documentUid: uidOf("h1") }),
  ];
  await commitEach(writes.map((write) => ({ writes: [write] })));
  return workspace;
}

const entityOf = (entity: string, items: readonly Item[]) => items.filter((item) => item.entity === entity);

describe("recursive", () => {
  /** Whether the document that is moved out was still there. */
  let isMoved: boolean;
  let moved: Item[];
  const ofMoved = async (workspace: string) =>
    (await itemsOf(workspace)).filter(({ pk }) => pk === `W#${workspace}#X#${uidOf("f2")}`);
  let jobId: string;

  const scene: Scene = {
    async arrange() {
      const workspace = await arrange();
      moved = await ofMoved(workspace);
      isMoved = false;
      const { data } = await callAt(foldersDelete, { folderIds: ["f"], recursive: true });
      jobId = data.f.jobId;
      return workspace;
    },
    before({ constructor: { name }, input }) {
      if (name === "QueryCommand" && !input.IndexName) input.Limit = 6;
    },
    async beside() {
      const added = await callAt(documentsAdd, { folderId: "h", documents: [{ documentId: "new" }] });
      expect(added.data.new?.code).toMatch(/^(?:being-deleted|folder-not-found)$/);
      const below = await callAt(foldersAdd, { folders: [{ folderId: "below", parentFolderId: "g" }] });
      expect(below.data.below?.code).toMatch(/^(?:being-deleted|parent-not-found)$/);
      const movedIn = await callAt(documentsUpdate, { documents: [{ documentId: "outside", folderId: "f" }] });
      expect(movedIn.data.outside?.code).toMatch(/^(?:being-deleted|folder-not-found)$/);
      const changes = [
        { documentId: "f2", folderId: "other" },
        { documentId: "g2", documentName: "G" },
      ];
      const updated = await callAt(documentsUpdate, { documents: changes });
      isMoved = updated.data.f2?.success === true;
      await callAt(foldersUpdate, { folders: [{ folderId: "g", folderName: "G" }] });
      const resources = ["f", "g"].map((id) => ({ type: "folder", id, organizationId }));
      await callAt(permissionsAdd, { user: { userId: "late" }, permissions: { resources } });
      const features = { location: { id: "l" }, reactions: [{ reactionId: "r", from: { userId: "late" } }] };
      const { status } = await callAt(documentsDataAdd, { documentId: "h2", ...features });
      expect(["NOT_FOUND", undefined]).toContain(status);
      const again = await callAt(foldersDelete, { folderIds: ["f"], recursive: true });
      if (!again.data.f?.success) expect(again.data.f).toMatchObject({ code: "being-deleted", jobId });
    },
  };

  it.each(["process killed", "reply lost"] as const)("leaves what was moved out, whole: %s", async (fault) => {
    const calls = await atEveryCall(scene, fault, async (workspace, what) => {
      const items = (await itemsOf(workspace)).filter(({ pk }) => !pk.startsWith("JOB#"));
      const ref = { workspace, organizationId };
      const documents = entityOf("document", items);
      const left = documents.map(({ documentId }) => documentId).toSorted();
      expect(left, what).toEqual(isMoved ? ["f2", "outside"] : ["outside"]);
      expect(await ofMoved(workspace), what).toEqual(isMoved ? moved : []);
      const folders = entityOf("folder", items);
      const existing = folders.filter(({ createdAt }) => createdAt !== undefined);
      expect(
        existing.map(({ folderId }) => folderId),
        what,
      ).toEqual(["other"]);
      expect(entityOf("folder-child", items), what).toHaveLength(existing.length + documents.length);
      // Nothing else of the tree: neither a part of its documents nor a grant on one of its folders.
      const uids = documentIds.filter((id) => id !== "f2").map(uidOf);
      for (const { pk, sk, entity, ...rest } of items) {
        const text = JSON.stringify([pk, sk, rest]);
        for (const uid of uids) expect(text, `${what}: ${pk} ${sk}`).not.toContain(uid);
        expect(`${pk} ${sk}`, what).not.toMatch(/#(?:FG|C)#[fgh]( |$)|#UG#.* F#[fgh]$/);
      }
      await callAt(foldersAdd, { folders: [{ folderId: "h" }] });
      const folder = await Folder.get({ ...ref, folderId: "h" });
      const data = Folder.dataOf(ref, folder as Folder.Folder);
      expect(await firstChildren(data, 1), what).toEqual([]);
      expect(await Table.first(folderGranteeEntity.range(data), 1), what).toEqual([]);
    });
    expect(calls).toBeGreaterThan(50);
  });
});

describe("not recursive", () => {
  /** Documents that calls have added, which began before the mark or after it. */
  let added: string[];
  let jobId: string;
  const add = async (documentId: string) => {
    const { data } = await callAt(documentsAdd, { folderId: "empty", documents: [{ documentId }] });
    if (data[documentId]?.success) added.push(documentId);
  };
  /** As a call that read the folder before its mark. */
  const addUnseen = async (workspace: string) => {
    const document = { documentId: "unseen", documentUid: uidOf("unseen"), ancestors: ["empty"], createdAt: at };
    await commitEach([{ writes: Document.creation({ workspace, organizationId }, document, undefined) }]);
    added.push("unseen");
  };

  const sceneOf = (isUnseen: boolean): Scene => ({
    async arrange() {
      const workspace = await arrange();
      added = [];
      await callAt(foldersAdd, { folders: [{ folderId: "empty" }] });
      const { data } = await callAt(foldersDelete, { folderIds: ["empty"] });
      jobId = data.empty.jobId;
      if (isUnseen) await addUnseen(workspace);
      return workspace;
    },
    beside: () => add("beside"),
  });

  it.each([false, true])("keeps the folder exactly if something was added: %s", async (isUnseen) => {
    for (const fault of ["process killed", "reply lost"] as const) {
      await atEveryCall(sceneOf(isUnseen), fault, async (workspace, what) => {
        const ref = { workspace, organizationId };
        const folder = await Folder.get({ ...ref, folderId: "empty" });
        const items = await itemsOf(workspace);
        const inFolder = entityOf("document", items).filter(({ ancestors }) => String(ancestors) === "empty");
        expect(inFolder.map(({ documentId }) => documentId).toSorted(), what).toEqual(added.toSorted());
        expect(folder !== undefined, what).toBe(added.length > 0);
        expect(folder?.deletionJobId, what).toBeUndefined();
        const job = items.find((item) => item.id === jobId) as { payload?: { failure?: string } } | undefined;
        expect(job?.payload?.failure !== undefined, what).toBe(folder !== undefined);
      });
    }
  });
});
