// Keys of what collaborators make: all that hangs from a document's uid, and each user's history. `keys.ts` has the rest.
import { type Key, keys, segment } from "./keys.ts";

export const featureKinds = ["comments", "reactions", "recordings"] as const;
export type FeatureKind = (typeof featureKinds)[number];

const inDocument = (workspace: string, uid: string, sk: string): Key => ({
  pk: keys.documentData(workspace, uid),
  sk,
});

export const dataKeys = {
  /** Which document a uid belongs to now. */
  owner: (workspace: string, uid: string) => inDocument(workspace, uid, "OWNER"),
  preference: (workspace: string, uid: string, userId: string) => inDocument(workspace, uid, `PREF#${segment(userId)}`),
  presence: (workspace: string, uid: string, userId: string) =>
    inDocument(workspace, uid, `PRESENCE#${segment(userId)}`),
  crdt: (workspace: string, uid: string, editorId: string) => inDocument(workspace, uid, `CRDT#${segment(editorId)}`),
  /** The `part`-th further piece of a state that one item cannot hold. */
  crdtPart: (workspace: string, uid: string, editorId: string, part: number) =>
    inDocument(workspace, uid, `CRDT#${segment(editorId)}#${part}`),
  /** `identity` says which location is meant; its item points to the `luid` under which the location's data is kept. */
  location: (workspace: string, uid: string, identity: string) =>
    inDocument(workspace, uid, `LOCATION#${segment(identity)}`),
  locationNode: (workspace: string, uid: string, luid: string) => inDocument(workspace, uid, `L#${luid}`),
  locationData: (workspace: string, uid: string, luid: string) => `${keys.documentData(workspace, uid)}#L#${luid}`,
  feature: (workspace: string, uid: string, luid: string, kind: FeatureKind, id: string): Key => ({
    pk: dataKeys.locationData(workspace, uid, luid),
    sk: `${kind}#${segment(id)}`,
  }),
  /** Beside a feature item: participants that it had, whose history still has it. */
  formerFeature: (workspace: string, uid: string, luid: string, kind: FeatureKind, id: string): Key => {
    const { pk, sk } = dataKeys.feature(workspace, uid, luid, kind, id);
    return { pk, sk: `${sk}#FORMER` };
  },
  /** Another location that was merged into this one. */
  merged: (workspace: string, uid: string, luid: string, other: string): Key => ({
    pk: dataKeys.locationData(workspace, uid, luid),
    sk: `MERGED#${other}`,
  }),
  /** A user's part in feature data: `at` is when the data came, so a history is read in its order. */
  participation: (workspace: string, organizationId: string, userId: string, kind: FeatureKind, sk: string): Key => ({
    pk: `${organizationPk(workspace, organizationId)}#UP#${segment(userId)}#${kind}`,
    sk,
  }),
  participationSk: (at: string, luid: string, id: string) => `${at}#${luid}#${segment(id)}`,
  notification: (workspace: string, uid: string, at: string, id: string) =>
    inDocument(workspace, uid, `NOTE#${at}#${segment(id)}`),
  /** A notification's id, taken once in an organization. */
  notificationName: (workspace: string, organizationId: string, id: string): Key => ({
    pk: `${organizationPk(workspace, organizationId)}#NOTE#${segment(id)}`,
    sk: "NOTE",
  }),
  /** Who has a notification, a list a step of its fan-out. */
  recipients: (workspace: string, uid: string, notificationId: string, step: string): Key => ({
    pk: `${keys.documentData(workspace, uid)}#N#${segment(notificationId)}`,
    sk: step,
  }),
  userNotification: (workspace: string, organizationId: string, userId: string, at: string, id: string): Key => ({
    pk: dataKeys.userNotifications(workspace, organizationId, userId),
    sk: `${at}#${segment(id)}`,
  }),
  userNotifications: (workspace: string, organizationId: string, userId: string) =>
    `${organizationPk(workspace, organizationId)}#UN#${segment(userId)}`,
  /** A notification that the user has read. */
  readMark: (workspace: string, organizationId: string, userId: string, at: string, id: string): Key => ({
    pk: dataKeys.readMarks(workspace, organizationId, userId),
    sk: `${at}#${segment(id)}`,
  }),
  /** Until when the user has read all; sorts before every mark. */
  readUpTo: (workspace: string, organizationId: string, userId: string): Key => ({
    pk: dataKeys.readMarks(workspace, organizationId, userId),
    sk: "#ALL",
  }),
  readMarks: (workspace: string, organizationId: string, userId: string) =>
    `${organizationPk(workspace, organizationId)}#UR#${segment(userId)}`,
  migration: (workspace: string, organizationId: string, id: string): Key => ({
    pk: organizationPk(workspace, organizationId),
    sk: `MIGRATION#${segment(id)}`,
  }),
};

const organizationPk = (workspace: string, organizationId: string) => keys.organization(workspace, organizationId).pk;
