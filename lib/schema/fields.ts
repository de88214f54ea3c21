// Fields that many requests, replies and events have.
import * as z from "zod/mini";
import { Flag, Id, optional, Text } from "./primitives.ts";

export const OrganizationId = Id.check(z.describe("The organization, by the id that you gave it."));
export const FolderId = Id.check(z.describe("The folder, by the id that you gave it."));
export const DocumentId = Id.check(z.describe("The document, by the id that you gave it."));
export const NewDocumentId = Id.check(z.describe("The new id of the document."));
export const MigrationId = Id.check(z.describe("The migration. documents/migrate/status shows how far it is."));
export const UserId = Id.check(z.describe("The user, by the id that you gave it."));
/** The placeholder for the id of an erased user. No user has it. */
export const erasedUserId = "erased-user";
/** The id of a user who gets something: a profile, access, a presence. Copied content can name the placeholder. */
export const RealUserId = UserId.check(
  z.refine((userId) => userId !== erasedUserId, "The id erased-user stands for erased users. Use another id."),
);
export const UserGroupId = Id.check(z.describe("The user group, by the id that you gave it."));
export const AnnotationId = Id.check(z.describe("The comment annotation: a thread of comments at one place."));
export const CommentId = Id.check(z.describe("The comment within its annotation."));
export const ReactionId = Id.check(z.describe("The reaction."));
export const RecordingId = Id.check(z.describe("The recording."));
export const EditorId = Id.check(z.describe("The editor within its document, by the id that you gave it."));
export const ContentKey = Id.check(
  z.describe("The name of the shared type in the Yjs document, as your editor expects it. Default: content."),
);
export const Generation = z.string().check(z.describe("Changes when the editor is deleted and added again."));
export const ActivityId = Id.check(z.describe("The activity."));
export const EndpointId = Id.check(z.describe("The webhook endpoint."));
export const AgentId = Id.check(z.describe("The agent."));
export const SourceId = Id.check(z.describe("The knowledge source."));
export const JobId = z.string().check(z.describe("The job that does the work. jobs/status shows it."));
export const ApiKey = Id.check(z.describe("The API key of the workspace."));

export const OrganizationName = Text.check(z.describe("The name to show for the organization."));

export const CreateOrganization = optional(Flag).check(
  z.describe("true: a missing organization is created. Default false: then it is INVALID_ARGUMENT."),
);
