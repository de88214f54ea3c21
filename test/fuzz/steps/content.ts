// Steps on folders, documents and migrations.
import type { Document } from "../../support/model.ts";
import type { Random } from "../../support/random.ts";
import { fails, messages, ok, oneOf, type Step, successes, whole } from "../step.ts";
import type { World } from "../world.ts";

const names = ["Plan", "🦜 plan", undefined];
const accessTypes = ["organizationPrivate", "restricted", "public", undefined, undefined];

export function addDocuments(world: World, random: Random): Step {
  const { organizationId } = world;
  const folderId = random.chance(0.6) ? random.from(world.folderIds) : undefined;
  const documents = random.some(world.documentIds, 2).map((documentId) => {
    return { documentId, documentName: random.from(names), accessType: random.from(accessTypes) };
  });
  const hasFolder = () => folderId === undefined || world.folders.has(folderId);
  return {
    endpoint: "documents-add",
    data: { organizationId, folderId, documents },
    observe: successes,
    expect: () => ok(documents.map(({ documentId: id }) => [id, hasFolder() && !world.documents.has(id)])),
    apply() {
      if (!hasFolder()) return;
      for (const { documentId, ...rest } of documents) {
        const added = world.addDocument(documentId);
        if (added) Object.assign(added, { folderId, ...rest });
      }
    },
  };
}

export function deleteDocuments(world: World, random: Random): Step {
  const documentIds = random.some(world.documentIds, 2);
  return {
    endpoint: "documents-delete",
    data: { organizationId: world.organizationId, documentIds },
    observe: messages,
    expect: () =>
      ok(documentIds.map((id) => [id, world.documents.has(id) ? "Document deleted." : "The document does not exist."])),
    apply: () => documentIds.forEach((id) => void world.documents.delete(id)),
  };
}

export function addFolders(world: World, random: Random): Step {
  const { organizationId } = world;
  const folders = random.some(world.folderIds, 2).map((folderId) => {
    const parentFolderId = random.chance(0.5) ? random.from(world.folderIds) : undefined;
    return { folderId, parentFolderId, accessType: random.from(accessTypes) };
  });
  const named = new Map(folders.map((each) => [each.folderId, each]));
  /** Whether the folder can be added: its ancestors exist, or are in the request without a cycle. */
  const isFree = (folderId: string, below: string[] = []): boolean => {
    const parentFolderId = named.get(folderId)?.parentFolderId;
    if (world.folders.has(folderId) || below.includes(folderId)) return false;
    if (parentFolderId === undefined || (world.folders.has(parentFolderId) && parentFolderId !== folderId)) return true;
    return named.has(parentFolderId) && isFree(parentFolderId, [...below, folderId]);
  };
  const added = () => folders.filter(({ folderId }) => isFree(folderId));
  return {
    endpoint: "folders-add",
    data: { organizationId, folders },
    observe: successes,
    expect: () => ok(folders.map(({ folderId }) => [folderId, isFree(folderId)])),
    apply() {
      for (const { folderId, parentFolderId, accessType } of added()) {
        world.folders.set(folderId, { parentFolderId, accessType });
      }
    },
  };
}

type Listed = Record<string, unknown>;

const sorted = (entries: Listed[], id: string) =>
  entries.sort((one, other) => (String(one[id]) < String(other[id]) ? -1 : 1));

/** JSON has no undefined fields. */
const shown = (fields: Listed): Listed => JSON.parse(JSON.stringify(fields));

export function getDocuments(world: World, random: Random): Step {
  const { organizationId } = world;
  const documentIds = random.chance(0.7) ? random.some(world.documentIds, 3) : undefined;
  const folderId = random.chance(0.4) ? random.from(world.folderIds) : undefined;
  const isWanted = ({ id, folderId: own }: Document) =>
    (!documentIds || documentIds.includes(id)) && (folderId === undefined || own === folderId);
  return {
    endpoint: "documents-get",
    data: { organizationId, documentIds, folderId, pageSize: random.pageSize() },
    lists: ["documents"],
    observe: whole(({ documents }) =>
      sorted(
        documents.map(({ createdAt: _, ...rest }: Listed) => rest),
        "documentId",
      ),
    ),
    expect() {
      if (folderId !== undefined && !world.folders.has(folderId)) return fails("NOT_FOUND");
      const found = [...world.documents.values()].filter(isWanted).map(({ id, documentName, accessType, folderId }) => {
        return shown({ documentId: id, documentName, accessType, folderId });
      });
      return oneOf(sorted(found, "documentId"));
    },
  };
}

export function getFolders(world: World, random: Random): Step {
  const parentFolderId = random.chance(0.4) ? random.from(world.folderIds) : undefined;
  return {
    endpoint: "folders-get",
    data: { organizationId: world.organizationId, parentFolderId, pageSize: random.pageSize() },
    lists: ["folders"],
    observe: whole(({ folders }) =>
      sorted(
        folders.map(({ folderId, parentFolderId, accessType }: Listed) =>
          shown({ folderId, parentFolderId, accessType }),
        ),
        "folderId",
      ),
    ),
    expect() {
      if (parentFolderId !== undefined && !world.folders.has(parentFolderId)) return fails("NOT_FOUND");
      const all = [...world.folders].map(([folderId, each]) => ({ folderId, ...each }));
      const found = all.filter((each) => parentFolderId === undefined || each.parentFolderId === parentFolderId);
      return oneOf(sorted(found.map(shown), "folderId"));
    },
  };
}

/** Migrates to an id that has no grants yet: those that it has would follow at a time of the worker's choice. */
export function migrate(world: World, random: Random): Step | undefined {
  const { organizationId } = world;
  const documentId = world.documentId(random);
  const newDocumentId = random.from(world.documentIds.filter((id) => id !== documentId && !world.reserved.has(id)));
  if (newDocumentId === undefined) return undefined;
  const found = () => world.documents.get(documentId);
  let migrationId = "";
  return {
    endpoint: "documents-migrate",
    data: { organizationId, documentId, newDocumentId },
    isCreation: true,
    expect() {
      if (!found()) return fails("NOT_FOUND");
      return world.documents.has(newDocumentId) ? fails("ALREADY_EXISTS") : ok();
    },
    adopt({ data }) {
      migrationId = data.migrationId;
    },
    async follow(client) {
      let status = "";
      const problem = await client.until("the migration has ended", async () => {
        const data = await client.read("documents-migrate-status", { organizationId, migrationId });
        status = data?.status;
        return data && status !== "pending" && status !== "in_progress";
      });
      if (problem) return problem;
      if (status !== "completed") return `the migration is ${status}`;
      const document = found();
      if (document) world.migrate({ document, oldId: documentId, newId: newDocumentId, isOver: false });
      return undefined;
    },
  };
}
