// Steps on the organization, its folders and its documents.
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { documentsMigrate } from "../../../functions/documents/documents-migrate.ts";
import { documentsUpdate } from "../../../functions/documents/documents-update.ts";
import { foldersAdd } from "../../../functions/folders/folders-add.ts";
import { foldersDelete } from "../../../functions/folders/folders-delete.ts";
import { foldersUpdate } from "../../../functions/folders/folders-update.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { organizationsDelete } from "../../../functions/organizations/organizations-delete.ts";
import { organizationsUpdate } from "../../../functions/organizations/organizations-update.ts";
import fc from "../../support/property.ts";
import { documentId, folderId, kind, maybe, oneOf, organizationId, orNull } from "./kind.ts";
import { type AccessType, deleteDocument, isFull, isGoing, isThere, type State, setFields } from "./state.ts";

const name = oneOf("One", "Two");
const accessType = oneOf<AccessType[]>("restricted", "public", "organizationPrivate");

/** Why nothing can be put into the folder. */
function refusalOf(state: State, id: string | null | undefined): string | undefined {
  if (id === undefined || id === null) return undefined;
  if (!state.folders.has(id)) return "folder-not-found";
  return isGoing(state, id) ? "being-deleted" : undefined;
}

export const content = {
  addOrganization: kind({
    shape: { organizationName: maybe(name) },
    endpoint: organizationsAdd,
    request: (step) => ({ organizationId: undefined, organizations: [{ ...step, organizationId }] }),
    expected(state, { organizationName: name }) {
      if (state.organization) return state.organization.going ? "ABORTED" : "already-exists";
      state.organization = name === undefined ? {} : { name };
      return "Organization added.";
    },
  }),
  updateOrganization: kind({
    shape: { organizationName: name },
    endpoint: organizationsUpdate,
    request: (step) => step,
    expected(state, { organizationName: name }) {
      if (!isThere(state)) return "INVALID_ARGUMENT";
      state.organization = { name };
      return name;
    },
    shown: (data) => data.organizationName,
  }),
  deleteOrganization: kind({
    shape: {},
    endpoint: organizationsDelete,
    request: () => ({}),
    expected(state) {
      if (!isThere(state)) return "INVALID_ARGUMENT";
      state.organization = { going: true };
      return "begun";
    },
    shown: () => "begun",
  }),
  addFolder: kind({
    weight: 4,
    shape: { folderId, folderName: maybe(name), accessType: maybe(accessType), parentFolderId: maybe(folderId) },
    endpoint: foldersAdd,
    request: (step) => ({ folders: [step] }),
    expected(state, { folderId: id, ...folder }) {
      if (!isThere(state)) return "INVALID_ARGUMENT";
      const before = state.folders.get(id);
      if (before) return before.going ? "being-deleted" : "already-exists";
      if (folder.parentFolderId === id) return "cycle";
      const refusal = refusalOf(state, folder.parentFolderId);
      if (refusal) return refusal.replace("folder-", "parent-");
      state.folders.set(id, {});
      setFields(state.folders.get(id) as object, folder);
      return "Folder added.";
    },
  }),
  updateFolder: kind({
    weight: 3,
    shape: { folderId, folderName: maybe(orNull(name)), accessType: maybe(orNull(accessType)) },
    endpoint: foldersUpdate,
    request: (step) => ({ folders: [step] }),
    expected(state, { folderId: id, ...fields }) {
      if (!isThere(state)) return "INVALID_ARGUMENT";
      if (Object.values(fields).every((each) => each === undefined)) return "nothing-to-update";
      const folder = state.folders.get(id);
      if (!folder) return "not-found";
      setFields(folder, fields);
      return "Folder updated.";
    },
  }),
  deleteFolder: kind({
    weight: 3,
    shape: { folderId, recursive: fc.boolean() },
    endpoint: foldersDelete,
    request: ({ folderId, recursive }) => ({ folderIds: [folderId], recursive }),
    expected(state, { folderId: id, recursive }, isLate) {
      if (!isThere(state)) return "INVALID_ARGUMENT";
      const folder = state.folders.get(id);
      if (!folder) return "The folder does not exist.";
      if (folder.going) return "being-deleted";
      if (!recursive && !isLate && isFull(state, id)) return "not-empty";
      folder.going = recursive ? "whole" : "empty";
      return "The folder is being deleted.";
    },
    canBeLate: true,
  }),
  addDocument: kind({
    weight: 4,
    shape: { documentId, folderId: maybe(folderId), accessType: maybe(accessType) },
    endpoint: documentsAdd,
    request: ({ folderId, ...document }) => ({ folderId, documents: [document] }),
    expected(state, { documentId: id, ...document }) {
      if (!isThere(state)) return "INVALID_ARGUMENT";
      const refusal = refusalOf(state, document.folderId);
      if (refusal) return refusal;
      if (state.documents.has(id)) return "already-exists";
      const added = { uid: state.count++, annotations: new Map(), editors: new Map() };
      setFields(added, document);
      state.documents.set(id, added);
      return "Document added.";
    },
  }),
  updateDocument: kind({
    weight: 5,
    shape: {
      documentId,
      documentName: maybe(orNull(name)),
      accessType: maybe(orNull(accessType)),
      folderId: maybe(orNull(folderId)),
    },
    endpoint: documentsUpdate,
    request: (step) => ({ documents: [step] }),
    expected(state, { documentId: id, ...fields }) {
      if (!isThere(state)) return "INVALID_ARGUMENT";
      if (Object.values(fields).every((each) => each === undefined)) return "nothing-to-update";
      const document = state.documents.get(id);
      if (!document) return "not-found";
      const isMoved = fields.folderId !== undefined && (fields.folderId ?? undefined) !== document.folderId;
      const refusal = isMoved && refusalOf(state, fields.folderId);
      if (refusal) return refusal;
      setFields(document, fields);
      return "Document updated.";
    },
  }),
  deleteDocument: kind({
    weight: 2,
    shape: { documentId },
    endpoint: documentsDelete,
    request: ({ documentId }) => ({ documentIds: [documentId] }),
    expected(state, { documentId: id }) {
      if (!isThere(state)) return "INVALID_ARGUMENT";
      if (!state.documents.has(id)) return "The document does not exist.";
      deleteDocument(state, id);
      return "Document deleted.";
    },
  }),
  migrate: kind({
    weight: 2,
    shape: { documentId, newDocumentId: documentId },
    endpoint: documentsMigrate,
    request: (step) => step,
    expected(state, { documentId: from, newDocumentId: to }) {
      if (from === to) return "INVALID_ARGUMENT";
      if (!isThere(state)) return "INVALID_ARGUMENT";
      const document = state.documents.get(from);
      if (!document) return "NOT_FOUND";
      if (state.documents.has(to)) return "ALREADY_EXISTS";
      if (isGoing(state, document.folderId)) return "ABORTED";
      state.migrations.push({ uid: document.uid, from, to });
      return "accepted";
    },
    shown: () => "accepted",
  }),
};
