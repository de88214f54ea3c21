// Event types, each with the shape of its `data`. Webhooks deliver them, and OpenAPI documents them.
import * as z from "zod/mini";
import {
  AnnotationId,
  CommentId,
  ContentKey,
  DocumentId,
  EditorId,
  EndpointId,
  FolderId,
  MigrationId,
  NewDocumentId,
  OrganizationId,
  ReactionId,
  RecordingId,
  UserGroupId,
  UserId,
} from "./fields.ts";
import { ShownLocation } from "./location.ts";
import type { Person } from "./person.ts";
import { AccessRole, IsoTime } from "./primitives.ts";

const Location = z.record(z.string(), z.unknown());
/** The user who made the change, if the caller said so. */
const actor = {
  actionUserId: z.optional(z.string()).check(z.describe("The user who made the change, if the caller said who.")),
};
const annotation = { annotationId: AnnotationId, ...actor };
const Changed = z.nullable(z.string());
/** In events with texts that can be too long for an event. */
const texts = {
  cut: z.optional(
    z
      .record(z.string(), z.string())
      .check(
        z.describe(
          "The SHA-256 in hex of each text that was too long for the event, by its field. The field has the first 1,000 characters and “…”.",
        ),
      ),
  ),
};

export const eventSchemas = {
  "comment.add": z.object({
    ...annotation,
    commentId: CommentId,
    from: z.string().check(z.describe("The id of the user who wrote it.")),
  }),
  "comment.delete": z.object({ ...annotation, commentId: CommentId }),
  "comment.update": z.object({ ...annotation, commentId: CommentId }),
  "comment_annotation.add": z.object({
    ...annotation,
    from: z.string().check(z.describe("The id of the user who wrote it.")),
    location: ShownLocation,
  }),
  "comment_annotation.assign": z.object({
    ...annotation,
    assignedTo: z.nullable(z.string()).check(z.describe("The id of the user who is assigned now. null: nobody.")),
  }),
  "comment_annotation.delete": z.object(annotation),
  "comment_annotation.priority_change": z.object({
    ...annotation,
    ...texts,
    priority: Changed.check(z.describe("The new priority. null: cleared.")),
  }),
  "comment_annotation.status_change": z.object({
    ...annotation,
    ...texts,
    status: Changed.check(z.describe("The new status. null: cleared.")),
  }),
  "comment_annotation.update": z.object(annotation),
  "crdt.add": z.object({
    editorId: EditorId,
    type: z.string().check(z.describe("The Yjs type of the content: text, map, array or xml.")),
    contentKey: ContentKey,
  }),
  "crdt.delete": z.object({ editorId: EditorId }),
  "crdt.update": z.object({
    editorId: EditorId,
    until: IsoTime.check(
      z.describe("Changes before this time cause no event of their own. Read the content after it."),
    ),
  }),
  "document.add": z.object({
    ...texts,
    documentId: DocumentId,
    documentName: z.optional(z.string()).check(z.describe("The name to show for the document.")),
    folderId: z.optional(z.string()).check(z.describe("The folder of the document. Absent: the root.")),
  }),
  "document.delete": z.object({ documentId: DocumentId }),
  "document.update": z.object({
    ...texts,
    documentId: DocumentId,
    documentName: z.optional(z.string()).check(z.describe("The new name. Absent: it did not change, or was removed.")),
    accessType: z
      .optional(z.string())
      .check(z.describe("The new access type. Absent: it did not change, or was removed.")),
    folderId: z
      .optional(z.string())
      .check(z.describe("The new folder. Absent: it did not change, or is the root now.")),
  }),
  "folder.add": z.object({
    ...texts,
    folderId: FolderId,
    folderName: z.optional(z.string()).check(z.describe("The name to show for the folder.")),
    parentFolderId: z
      .optional(z.string())
      .check(z.describe("The folder above it. Absent: the folder is at the root of the organization.")),
  }),
  "folder.delete": z.object({ folderId: FolderId }),
  "folder.update": z.object({
    ...texts,
    folderId: FolderId,
    folderName: z.optional(z.string()).check(z.describe("The new name. Absent: it did not change, or was removed.")),
    accessType: z
      .optional(z.string())
      .check(z.describe("The new access type. Absent: it did not change, or was removed.")),
  }),
  "location.data_delete": z.object({ location: ShownLocation }),
  "location.update": z.object({
    oldLocation: Location.check(z.describe("The location as it was.")),
    newLocation: Location.check(z.describe("The location as it is now.")),
  }),
  "migration.completed": z.object({ migrationId: MigrationId, newDocumentId: NewDocumentId }),
  "migration.failed": z.object({
    migrationId: MigrationId,
    newDocumentId: NewDocumentId,
    reason: z.string().check(z.describe("Why the migration failed. It has changed nothing.")),
  }),
  "notification.add": z.object({
    notificationId: z.string().check(z.describe("The notification.")),
    notificationSource: z.optional(z.string()).check(z.describe("What the notification comes from. Default: custom.")),
    actionUserId: z.string().check(z.describe("The user whose action it is.")),
  }),
  "organization.add": z.object({ organizationId: OrganizationId }),
  "organization.delete": z.object({ organizationId: OrganizationId }),
  "organization.update": z.object({ organizationId: OrganizationId }),
  "permission.update": z.object({
    userId: UserId,
    resource: z
      .object({
        type: z
          .enum(["organization", "document", "folder"])
          .check(z.describe("What the grant is on: organization, folder or document.")),
        id: z.string().check(z.describe("The id of the organization, folder or document.")),
      })
      .check(z.describe("Where the access of the user changed.")),
    accessRole: z
      .nullable(AccessRole)
      .check(z.describe("What the grant there gives the user now. null: there is no grant any more.")),
    before: z
      .optional(z.nullable(AccessRole))
      .check(
        z.describe(
          "What the grant there gave the user before. null: there was none. Absent: the call did not read it.",
        ),
      ),
  }),
  "presence.add": z.object({ userIds: z.array(z.string()).check(z.describe("The users who came.")) }),
  "presence.delete": z.object({ userIds: z.array(z.string()).check(z.describe("The users who left.")) }),
  "reaction.add": z.object({
    reactionId: ReactionId,
    from: z.string().check(z.describe("The id of the user who reacts.")),
    ...actor,
  }),
  "reaction.delete": z.object({ reactionId: ReactionId, ...actor }),
  "recorder.delete": z.object({ recordingId: RecordingId, ...actor }),
  "recorder.done": z.object({
    recordingId: RecordingId,
    from: z.string().check(z.describe("The id of the user who recorded it.")),
    ...actor,
  }),
  "user.add": z.object({ userId: UserId }),
  "user.delete": z.object({ userId: UserId }),
  "user.update": z.object({ userId: UserId }),
  "usergroup.add": z.object({ organizationUserGroupId: UserGroupId }),
  "usergroup.delete": z.object({ organizationUserGroupId: UserGroupId }),
  "usergroup.update": z.object({ organizationUserGroupId: UserGroupId }),
  "usergroup.user_add": z.object({ organizationUserGroupId: UserGroupId, userId: UserId }),
  "usergroup.user_delete": z.object({ organizationUserGroupId: UserGroupId, userId: UserId }),
  "webhook_endpoint.disabled": z.object({
    endpointId: EndpointId,
    reason: z.string().check(z.describe("Why the service has disabled the endpoint.")),
  }),
  "webhook_endpoint.test": z.object({ endpointId: EndpointId }),
} as const;

/** What an event has set: a status, a priority, an assignee, or the hash of a comment's text. null: cleared. */
export type EventValue = string | Person | null;

export type EventType = keyof typeof eventSchemas;
export const eventTypes = Object.keys(eventSchemas) as EventType[];
