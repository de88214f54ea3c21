// Event types, each with the shape of its `data`. Webhooks deliver them, and OpenAPI documents them.
import * as z from "zod/mini";
import { IsoTime } from "./primitives.ts";

const Location = z.record(z.string(), z.unknown());
/** Who made the change, if the caller said so. */
const actor = { actionUserId: z.optional(z.string()) };
const annotation = { annotationId: z.string(), ...actor };
/** null: cleared. Absent: it has more than 1,000 characters. */
const Changed = z.optional(z.nullable(z.string()));

export const eventSchemas = {
  "comment.add": z.object({ ...annotation, commentId: z.string(), from: z.string() }),
  "comment.delete": z.object({ ...annotation, commentId: z.string() }),
  "comment.update": z.object({ ...annotation, commentId: z.string() }),
  "comment_annotation.add": z.object({ ...annotation, from: z.string(), location: Location }),
  "comment_annotation.assign": z.object({ ...annotation, assignedTo: z.nullable(z.string()) }),
  "comment_annotation.delete": z.object(annotation),
  "comment_annotation.priority_change": z.object({ ...annotation, priority: Changed }),
  "comment_annotation.status_change": z.object({ ...annotation, status: Changed }),
  "comment_annotation.update": z.object(annotation),
  "crdt.add": z.object({ editorId: z.string(), type: z.string(), contentKey: z.string() }),
  "crdt.delete": z.object({ editorId: z.string() }),
  "crdt.update": z.object({
    editorId: z.string(),
    until: IsoTime.check(
      z.describe("Changes before this time cause no event of their own. Read the content after it."),
    ),
  }),
  "document.add": z.object({
    documentId: z.string(),
    documentName: z.optional(z.string()),
    folderId: z.optional(z.string()),
  }),
  "document.delete": z.object({ documentId: z.string() }),
  "document.update": z.object({
    documentId: z.string(),
    documentName: z.optional(z.string()),
    accessType: z.optional(z.string()),
    folderId: z.optional(z.string()),
  }),
  "folder.add": z.object({
    folderId: z.string(),
    folderName: z.optional(z.string()),
    parentFolderId: z.optional(z.string()),
  }),
  "folder.delete": z.object({ folderId: z.string() }),
  "folder.update": z.object({
    folderId: z.string(),
    folderName: z.optional(z.string()),
    accessType: z.optional(z.string()),
  }),
  "location.data_delete": z.object({ location: Location }),
  "location.update": z.object({ oldLocation: Location, newLocation: Location }),
  "migration.completed": z.object({ migrationId: z.string(), newDocumentId: z.string() }),
  "migration.failed": z.object({ migrationId: z.string(), newDocumentId: z.string(), reason: z.string() }),
  "notification.add": z.object({
    notificationId: z.string(),
    notificationSource: z.optional(z.string()),
    actionUserId: z.string(),
  }),
  "organization.add": z.object({ organizationId: z.string() }),
  "organization.delete": z.object({ organizationId: z.string() }),
  "organization.update": z.object({ organizationId: z.string() }),
  "permission.update": z.object({
    userId: z.string(),
    resource: z.object({ type: z.enum(["organization", "document", "folder"]), id: z.string() }),
  }),
  "presence.add": z.object({ userIds: z.array(z.string()) }),
  "presence.delete": z.object({ userIds: z.array(z.string()) }),
  "reaction.add": z.object({ reactionId: z.string(), from: z.string(), ...actor }),
  "reaction.delete": z.object({ reactionId: z.string(), ...actor }),
  "recorder.delete": z.object({ recordingId: z.string(), ...actor }),
  "recorder.done": z.object({ recordingId: z.string(), from: z.string(), ...actor }),
  "user.add": z.object({ userId: z.string() }),
  "user.delete": z.object({ userId: z.string() }),
  "user.update": z.object({ userId: z.string() }),
  "usergroup.add": z.object({ organizationUserGroupId: z.string() }),
  "usergroup.delete": z.object({ organizationUserGroupId: z.string() }),
  "usergroup.update": z.object({ organizationUserGroupId: z.string() }),
  "usergroup.user_add": z.object({ organizationUserGroupId: z.string(), userId: z.string() }),
  "usergroup.user_delete": z.object({ organizationUserGroupId: z.string(), userId: z.string() }),
  "webhook_endpoint.disabled": z.object({ endpointId: z.string(), reason: z.string() }),
  "webhook_endpoint.test": z.object({ endpointId: z.string() }),
} as const;

export type EventType = keyof typeof eventSchemas;
export const eventTypes = Object.keys(eventSchemas) as EventType[];
