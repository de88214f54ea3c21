// The schemas that have a name in the OpenAPI document. A schema can add rules to a named one, such as a limit of its
// size. It then has the same name.
import * as z from "zod/mini";
import { ModelConfig } from "../../lib/ai/model-config.ts";
import { AccessContext, ResourceGrant, ResourceName, UserFields, UserUpdate } from "../../lib/schema/access.ts";
import { ActivityConfig } from "../../lib/schema/activity.ts";
import { Activity, ActivityUpdate, NewActivity } from "../../lib/schema/activity-log.ts";
import { Agent } from "../../lib/schema/agents.ts";
import { AuthTokenRecord } from "../../lib/schema/auth-tokens.ts";
import { AnnotationUpdate } from "../../lib/schema/comment-changes.ts";
import { EditorContent, EditorType } from "../../lib/schema/crdt.ts";
import { DocumentUpdate, NewDocument, ShownDocument } from "../../lib/schema/document.ts";
import { EmailConfig } from "../../lib/schema/email.ts";
import { eventTypes } from "../../lib/schema/events.ts";
import { AgentDraft, ExtractionResult } from "../../lib/schema/extraction.ts";
import { Filters as CommentFilters } from "../../lib/schema/feature-filters.ts";
import { Comment, CommentAnnotation, Exported, Kind, Reaction, Recording } from "../../lib/schema/features.ts";
import { FolderUpdate, NewFolder, ShownFolder } from "../../lib/schema/folder.ts";
import { ItemCode, ItemResult } from "../../lib/schema/item-result.ts";
import { Location } from "../../lib/schema/location.ts";
import { Decision, Judgment, Filters as MemoryFilters, NewJudgment } from "../../lib/schema/memory.ts";
import { ChannelState, MessageEntry } from "../../lib/schema/message-list.ts";
import { Level, VisibleNotification } from "../../lib/schema/notifications.ts";
import { PageSize, PageToken } from "../../lib/schema/paging.ts";
import { Permission } from "../../lib/schema/permissions.ts";
import { NamedPerson, Person } from "../../lib/schema/person.ts";
import { PresentUser } from "../../lib/schema/presence.ts";
import { AccessRole, AccessType } from "../../lib/schema/primitives.ts";
import { Scope } from "../../lib/schema/scopes.ts";
import { ShownPresence } from "../../lib/schema/shown-presence.ts";
import { SlackConfig } from "../../lib/schema/slack.ts";
import { ActivityTriggers, EventTriggers } from "../../lib/schema/triggers.ts";
import { ShownUser } from "../../lib/schema/user.ts";
import { GroupMemberResult, NewUserGroup, ShownUserGroup } from "../../lib/schema/user-group.ts";
import { DeliveryAttempt, EventTypeName, WebhookDelivery, WebhookRecord } from "../../lib/schema/webhooks.ts";

const EventType = z.enum(eventTypes).check(z.describe("What happened. Later versions add types."));

export const named: Readonly<Record<string, z.ZodMiniType>> = {
  AccessContext,
  AccessRole,
  AccessType,
  Activity,
  ActivityConfig,
  ActivityTriggers,
  ActivityUpdate,
  Agent,
  AgentDraft,
  AiConfig: ModelConfig,
  AuthToken: AuthTokenRecord,
  Comment,
  CommentAnnotation,
  CommentAnnotationUpdate: AnnotationUpdate,
  CommentFilters,
  Decision,
  Delivery: WebhookDelivery,
  DeliveryAttempt,
  Document: ShownDocument,
  DocumentUpdate,
  EditorContent,
  EditorType,
  EmailConfig,
  EventTriggers,
  EventType,
  EventTypeName,
  ExtractionResult,
  FeatureKind: Kind,
  Folder: ShownFolder,
  FolderUpdate,
  GroupMemberResult,
  ItemCode,
  ItemResult,
  Judgment,
  Location,
  MemoryFilters,
  Message: MessageEntry,
  MessageChannel: ChannelState,
  NewActivity,
  NewDocument,
  NewFolder,
  NewJudgment,
  NewPresence: PresentUser,
  NewUser: UserFields,
  NewUserGroup,
  Notification: VisibleNotification,
  NotificationLevel: Level,
  PageSize,
  PageToken,
  Permission,
  NamedPerson,
  Person,
  PlacedCommentAnnotation: Exported.comments,
  PlacedReaction: Exported.reactions,
  PlacedRecording: Exported.recordings,
  Presence: ShownPresence,
  Reaction,
  Recording,
  ResourceGrant,
  ResourceName,
  Scope,
  SlackConfig,
  User: ShownUser,
  UserGroup: ShownUserGroup,
  UserUpdate,
  WebhookEndpoint: WebhookRecord,
};
