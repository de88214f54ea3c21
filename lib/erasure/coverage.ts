// What an erasure does with each attribute that a client can fill (DECISIONS.md#erasure-of-users). A test fills all fields
// of all requests with a person, and compares what is left with this table. An attribute that is absent holds nothing that
// a client gave.

/** The entities whose text stays, by the name of the text in a receipt. */
export const keptTexts = {
  "comments, reactions, recordings, statuses and priorities of others": ["feature", "feature-entry", "waiting-message"],
  "the reasoning of judgments, also of those that the users made": ["judgment"],
  "activities of others": ["activity"],
  "notifications to others, also those that the users caused": ["notification"],
  "profiles and presence of others": ["presence", "user"],
  "names of documents, folders, organizations and user groups": ["document", "folder", "organization", "user-group"],
  "agents and knowledge files": ["agent", "knowledge-chunk"],
  "settings, domains and webhook endpoints": ["domain", "setting", "webhook-endpoint"],
  "jobs and deliveries with the texts above": ["job", "pending-delivery"],
  // No request of the test stores these as text.
  "the content of editors": [],
  "names of files, results of extractions": [],
  "answers of webhook receivers without the users' ids, to deliveries that name none of them": [],
};

/** What an erasure does not reach, in words for the reader of a receipt. */
const kept = {
  ids: "ids that were chosen for other things, such as documents, folders and locations, and names of auth tokens",
  text: `text that people wrote: ${Object.keys(keptTexts).join("; ")}`,
  fields:
    "your own fields, such as metadata, locations and properties, except for the ids under names that end with userId or userIds, and for name and email beside a field userId",
};

/**
 * By entity and attribute; `key`: the keys of the item. `removed`: with the item of the user. `redacted`: the user is
 * taken out of it, and the rest stays. `ends`: at the time that the receipt says. Each other word is a key of `kept`,
 * which says what of the attribute stays.
 */
export const coverage: Record<string, Record<string, string>> = {
  "acted-entry": {
    key: "ids removed",
    notificationId: "ids removed",
    organizationId: "ids removed",
    userId: "removed",
  },
  activity: { key: "ids", present: "redacted", record: "ids", texts: "ids redacted text" },
  "activity-chain": { key: "ids" },
  "activity-entry": { key: "removed", events: "removed" },
  "activity-id": { key: "ids", present: "redacted", waiting: "redacted" },
  agent: { description: "text", input: "text", instructions: "text", name: "text" },
  "auth-token": { name: "ids" },
  document: { key: "ids", ancestors: "ids", documentId: "ids", documentName: "text", organizationId: "ids" },
  "document-grant": { access: "fields" },
  "document-locator": { key: "ids", organizationId: "ids" },
  "document-metadata": { metadata: "fields redacted" },
  "document-owner": { documentId: "ids", organizationId: "ids" },
  domain: { key: "text", domain: "text" },
  "due-message": { key: "ids removed", organizationId: "ids removed", origin: "ids removed", userId: "removed" },
  "editor-content": { key: "ids", contentKey: "ids", editorId: "ids" },
  "editor-state-part": { key: "ids", state: "ids" },
  "editor-update": { key: "ids" },
  feature: {
    key: "ids removed",
    id: "ids removed",
    organizationId: "ids removed",
    participants: "redacted removed",
    record: "fields ids redacted removed text",
  },
  "feature-entry": {
    key: "ids removed",
    assignedTo: "redacted removed",
    from: "removed",
    id: "ids removed",
    mentions: "redacted removed",
    priority: "removed text",
    status: "removed text",
  },
  "feature-id": { key: "ids removed", id: "ids removed" },
  folder: {
    key: "ids",
    ancestors: "ids",
    folderId: "ids",
    folderName: "text",
    organizationId: "ids",
    parentFolderId: "ids",
  },
  "folder-child": { key: "ids", childId: "ids" },
  "folder-grant": { key: "ids", access: "fields", folderUid: "ids", organizationId: "ids" },
  "folder-grantee": { key: "ids" },
  "inbox-entry": {
    key: "ids removed",
    notificationId: "ids removed",
    organizationId: "ids removed",
    userId: "removed",
  },
  job: { payload: "fields ids redacted text" },
  judgment: {
    key: "ids",
    actionUser: "redacted",
    documentId: "ids",
    organizationId: "ids",
    reasoning: "text",
    recordId: "ids",
  },
  "judgment-change": { key: "ids", records: "ids" },
  "judgment-month": { key: "ids", organizationId: "ids" },
  "judgment-record": { key: "ids", organizationId: "ids" },
  "knowledge-chunk": { text: "text" },
  "knowledge-source": { key: "ids", organizationId: "ids", sourceId: "ids" },
  "listed-activity": {
    key: "ids removed",
    activityId: "ids removed",
    documentId: "ids removed",
    eventType: "ids removed",
  },
  location: { key: "ids" },
  "location-node": { identity: "ids", location: "fields ids redacted" },
  migration: { key: "ids", documentId: "ids", newDocumentId: "ids" },
  notification: {
    key: "ids",
    content: "fields redacted text",
    documentId: "ids",
    notificationId: "ids",
    organizationId: "ids",
  },
  "notification-pointer": { key: "ids", notificationId: "ids", organizationId: "ids" },
  organization: { key: "ids", name: "text", organizationId: "ids" },
  "organization-entry": { key: "ids", organizationId: "ids" },
  participation: { key: "ids removed", id: "ids removed" },
  "pending-delivery": { body: "fields ids redacted text", documentId: "ids", organizationId: "ids" },
  presence: {
    key: "removed",
    email: "removed text",
    metadata: "fields redacted removed",
    name: "removed text",
    userId: "removed",
  },
  "recipient-list": { key: "ids", notificationId: "ids", organizationId: "ids", userIds: "redacted" },
  setting: { fromCompany: "text" },
  user: {
    key: "ends ids",
    access: "fields redacted",
    email: "redacted text",
    name: "redacted text",
    organizationId: "ids",
    userId: "ends",
  },
  "user-group": { key: "ids", name: "text", organizationId: "ids", organizationUserGroupId: "ids" },
  "user-group-member": { key: "ids removed", userId: "removed" },
  "user-properties": { key: "ids", properties: "fields redacted" },
  "waiting-message": {
    key: "ids removed",
    actorId: "redacted removed",
    annotationId: "ids removed",
    commentId: "ids removed",
    notificationId: "ids removed",
    organizationId: "ids removed",
    origin: "ids removed",
    userId: "removed",
    value: "redacted removed text",
  },
  "webhook-endpoint": { description: "text", metadata: "fields redacted", uid: "ids" },
};

/** What an erasure from one organization does not reach either. */
export const outside =
  "what does not belong to the organization: other organizations, webhook endpoints, and judgments of no organization";

/** The parts of a receipt about what stays. */
export const notCovered = [
  ...Object.values(kept),
  "access fields of others, also under userId",
  "hashes of e-mail addresses that mail did not reach, or whose users complained: they get no mail",
  "what has left the service, such as exports, delivered webhooks, sent messages and backups",
  "what was written after the call",
  // It waits while its endpoint is off, and each attempt keeps it for 30 days.
  "ids in the webhook user.delete, until it is delivered and its record ends",
  "ids of the users' tokens in the activity log",
];
