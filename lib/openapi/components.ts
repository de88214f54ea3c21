// The schemas that have a name in the OpenAPI document. A schema that is derived from a named one by further rules, such
// as a limit of its size, has its name too.
import * as z from "zod/mini";
import { ModelConfig } from "../ai/model-config.ts";
import { AccessContext, ResourceGrant, ResourceName, UserFields, UserUpdate } from "../schema/access.ts";
import { ActivityConfig } from "../schema/activity.ts";
import { Activity, ActivityUpdate, NewActivity } from "../schema/activity-log.ts";
import { Agent } from "../schema/agents.ts";
import { AuthTokenRecord } from "../schema/auth-tokens.ts";
import { AnnotationUpdate } from "../schema/comment-changes.ts";
import { EditorContent, EditorType } from "../schema/crdt.ts";
import { DocumentUpdate, NewDocument, ShownDocument } from "../schema/document.ts";
import { EmailConfig } from "../schema/email.ts";
import { eventTypes } from "../schema/events.ts";
import { AgentDraft, ExtractionResult } from "../schema/extraction.ts";
import { Filters as CommentFilters } from "../schema/feature-filters.ts";
import { Comment, CommentAnnotation, Exported, Kind, Reaction, Recording } from "../schema/features.ts";
import { FolderUpdate, NewFolder, ShownFolder } from "../schema/folder.ts";
import { GroupMemberResult } from "../schema/group-member.ts";
import { ItemCode, ItemResult } from "../schema/item-result.ts";
import { Location } from "../schema/location.ts";
import { Decision, Judgment, Filters as MemoryFilters, NewJudgment } from "../schema/memory.ts";
import { ChannelState, MessageEntry } from "../schema/message-list.ts";
import { Level, VisibleNotification } from "../schema/notifications.ts";
import { PageSize, PageToken } from "../schema/paging.ts";
import { Permission } from "../schema/permissions.ts";
import { Person } from "../schema/person.ts";
import { PresentUser } from "../schema/presence.ts";
import { AccessRole, AccessType } from "../schema/primitives.ts";
import { Scope } from "../schema/scopes.ts";
import { ShownPresence } from "../schema/shown-presence.ts";
import { SlackConfig } from "../schema/slack.ts";
import { ActivityTriggers, EventTriggers } from "../schema/triggers.ts";
import { ShownUser } from "../schema/user.ts";
import { NewUserGroup, ShownUserGroup } from "../schema/user-group.ts";
import { DeliveryAttempt, EventTypeName, WebhookDelivery, WebhookRecord } from "../schema/webhooks.ts";

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
