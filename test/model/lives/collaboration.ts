// Steps on what is in a document: comment annotations and collaborative editors.
import { isDeepStrictEqual } from "node:util";
import * as Y from "yjs";
import { commentannotationsUpdate } from "../../../functions/comments/commentannotations-update.ts";
import { commentsAdd } from "../../../functions/comments/comments-add.ts";
import { commentsDelete } from "../../../functions/comments/comments-delete.ts";
import { commentsUpdate } from "../../../functions/comments/comments-update.ts";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsDataDelete } from "../../../functions/comments/documents-data-delete.ts";
import { crdtAdd } from "../../../functions/editor-content/crdt-add.ts";
import { crdtDelete } from "../../../functions/editor-content/crdt-delete.ts";
import { crdtUpdate } from "../../../functions/editor-content/crdt-update.ts";
import fc from "../../support/property.ts";
import { annotationIds, documentId, editorIds, kind, maybe, oneOf, orNull, userId } from "./kind.ts";
import { type Annotation, type Document, isThere, type State, setFields } from "./state.ts";

const annotationId = oneOf(...annotationIds);
const commentId = oneOf("1", "2", "3");
const editorId = oneOf(...editorIds);
const status = oneOf("OPEN", "DONE");
const text = oneOf("yes", "no");
/** Of the creation of an annotation. */
const second = fc.integer({ min: 1, max: 3 });
const location = oneOf("here", "there");

const person = <T>(id: T) => (typeof id === "string" ? { userId: id } : id);
export const timeOf = (second: number) => `2026-01-31T12:00:0${second}.000Z`;

/** The failure of a call for something that the organization lacks, or without the organization. */
const missingIn = (state: State) => (isThere(state) ? "NOT_FOUND" : "INVALID_ARGUMENT");

const documentOf = (state: State, id: string): Document | undefined =>
  isThere(state) ? state.documents.get(id) : undefined;

const annotationOf = (state: State, { documentId, annotationId }: { documentId: string; annotationId: string }) =>
  documentOf(state, documentId)?.annotations.get(annotationId);

/** A Yjs update that sets one key of the editor's map. */
function settingOf(key: number): string {
  const document = new Y.Doc();
  document.clientID = key + 1;
  document.getMap("content").set(`k${key}`, key);
  return Buffer.from(Y.encodeStateAsUpdate(document)).toString("base64");
}

export const collaboration = {
  addAnnotation: kind({
    weight: 4,
    shape: {
      documentId,
      annotationId,
      location,
      from: userId,
      assignedTo: maybe(userId),
      status: maybe(status),
      second,
    },
    endpoint: documentsDataAdd,
    request: ({ documentId, location, from, assignedTo, second, ...annotation }) => ({
      documentId,
      location: { id: location },
      comments: [
        { ...annotation, from: person(from), assignedTo: person(assignedTo), createdAt: timeOf(second), comments: [] },
      ],
    }),
    expected(state, { documentId, annotationId, location, from, assignedTo, status, second }) {
      const annotations = documentOf(state, documentId)?.annotations;
      if (!annotations) return missingIn(state);
      const before = annotations.get(annotationId);
      if (before && before.location !== location) return "already-exists";
      const added: Annotation = { location, from, second, position: before?.position ?? second, comments: [] };
      setFields(added, { assignedTo, status });
      if (isDeepStrictEqual(before, added)) return "Unchanged.";
      annotations.set(annotationId, added);
      return before ? "Replaced." : "Added.";
    },
    shown: ({ comments }) =>
      Object.values<{ code?: string; message: string }>(comments).map((it) => it.code ?? it.message)[0],
  }),
  deleteAnnotation: kind({
    shape: { documentId, annotationId },
    endpoint: documentsDataDelete,
    request: ({ documentId, annotationId }) => ({ documentId, kind: "comments", ids: [annotationId] }),
    expected(state, { documentId, annotationId }) {
      const annotations = documentOf(state, documentId)?.annotations;
      if (!annotations) return missingIn(state);
      return annotations.delete(annotationId) ? "Deleted." : "The item does not exist.";
    },
  }),
  updateAnnotation: kind({
    weight: 2,
    shape: { documentId, annotationId, status: maybe(orNull(status)), assignedTo: orNull(userId) },
    endpoint: commentannotationsUpdate,
    request: ({ documentId, annotationId, status, assignedTo }) => ({
      documentId,
      annotationIds: [annotationId],
      update: { status, assignedTo: person(assignedTo) },
    }),
    expected(state, { documentId, annotationId, ...fields }) {
      if (!documentOf(state, documentId)) return missingIn(state);
      const annotation = annotationOf(state, { documentId, annotationId });
      if (!annotation) return "not-found";
      const before = JSON.stringify([annotation.status, annotation.assignedTo]);
      setFields(annotation, fields);
      return JSON.stringify([annotation.status, annotation.assignedTo]) === before ? "Unchanged." : "Updated.";
    },
  }),
  addComment: kind({
    weight: 3,
    shape: { documentId, annotationId, commentId, from: userId, text },
    endpoint: commentsAdd,
    request: ({ documentId, annotationId, commentId, from, text }) => ({
      documentId,
      annotationId,
      comments: [{ commentId, from: person(from), text }],
    }),
    expected(state, { commentId, from, text, ...on }) {
      const annotation = annotationOf(state, on);
      if (!annotation) return missingIn(state);
      const before = annotation.comments.find((each) => each.commentId === commentId);
      if (before) return before.from === from && before.text === text ? "Unchanged." : "already-exists";
      annotation.comments.push({ commentId, from, text });
      return "Added.";
    },
  }),
  updateComment: kind({
    weight: 2,
    shape: { documentId, annotationId, commentId, text },
    endpoint: commentsUpdate,
    request: (step) => step,
    expected(state, { commentId, text, ...on }) {
      const comment = annotationOf(state, on)?.comments.find((each) => each.commentId === commentId);
      if (!comment) return missingIn(state);
      comment.text = text;
      return commentId;
    },
    shown: ({ commentId }) => commentId,
  }),
  deleteComment: kind({
    shape: { documentId, annotationId, commentId },
    endpoint: commentsDelete,
    request: ({ documentId, annotationId, commentId }) => ({ documentId, annotationId, commentIds: [commentId] }),
    expected(state, { commentId, ...on }) {
      const annotation = annotationOf(state, on);
      if (!annotation) return missingIn(state);
      const index = annotation.comments.findIndex((each) => each.commentId === commentId);
      if (index < 0) return "The comment does not exist.";
      annotation.comments.splice(index, 1);
      return "Deleted.";
    },
  }),
  addEditor: kind({
    shape: { documentId, editorId, key: fc.nat(4) },
    endpoint: crdtAdd,
    request: ({ documentId, editorId, key }) => ({ documentId, editorId, type: "map", data: { [`k${key}`]: key } }),
    expected(state, { documentId, editorId, key }) {
      const editors = documentOf(state, documentId)?.editors;
      if (!editors) return missingIn(state);
      if (editors.has(editorId)) return "ALREADY_EXISTS";
      editors.set(editorId, new Set([`k${key}`]));
      return "added";
    },
    shown: () => "added",
  }),
  updateEditor: kind({
    weight: 3,
    shape: { documentId, editorId, key: fc.nat(4), type: maybe(fc.constant("map")) },
    endpoint: crdtUpdate,
    request: ({ documentId, editorId, key, type }) => ({ documentId, editorId, update: settingOf(key), type }),
    expected(state, { documentId, editorId, key, type }) {
      const editors = documentOf(state, documentId)?.editors;
      if (!editors || (!editors.has(editorId) && !type)) return missingIn(state);
      editors.set(editorId, new Set([...(editors.get(editorId) ?? []), `k${key}`]));
      return "updated";
    },
    shown: () => "updated",
  }),
  deleteEditor: kind({
    shape: { documentId, editorId },
    endpoint: crdtDelete,
    request: ({ documentId, editorId }) => ({ documentId, editorIds: [editorId] }),
    expected(state, { documentId, editorId }) {
      const editors = documentOf(state, documentId)?.editors;
      if (!editors) return missingIn(state);
      return editors.delete(editorId) ? "Deleted." : "The editor does not exist.";
    },
  }),
};
