// The only place where keys are built. A key is segments joined by "#"; an id enters escaped, a long one hashed, so that
// no id can reach another entity's or another workspace's key.
import { hash } from "node:crypto";

/** A type, not an interface: as such it is an item without further attributes, too. */
export type Key = {
  pk: string;
  sk: string;
};

/** Bytes of an escaped id above which its hash stands for it: five of them fit a partition key's 2,048. */
const segmentBytesMax = 300;

/** An id as a key segment. "%" starts an escape and is itself escaped, so "%~" (a hash) collides with no id. */
export function segment(id: string): string {
  const escaped = id.replace(/[%#]/g, (character) => (character === "%" ? "%25" : "%23"));
  if (escaped.length * 3 <= segmentBytesMax || Buffer.byteLength(escaped) <= segmentBytesMax) return escaped;
  return `%~${hash("sha256", id, "base64url")}`;
}

/** Partitions that one long list is spread over, so that no single one is hot; a power of two. */
export const shardCount = 16;

/** Which shard an id lives in: the same at every call. FNV-1a spreads ids evenly at a tenth of a SHA-256's cost. */
export function shardOf(id: string): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) state = Math.imul(state ^ id.charCodeAt(index), 0x01000193);
  return (state ^ (state >>> 16)) & (shardCount - 1);
}

const workspacePk = (workspace: string) => `W#${segment(workspace)}`;
const webhookPk = (workspace: string, id: string) => `${workspacePk(workspace)}#HOOK#${segment(id)}`;
const organizationPk = (workspace: string, organizationId: string) =>
  `${workspacePk(workspace)}#O#${segment(organizationId)}`;

/** Whether a partition is a workspace's own. */
export function isWithin(workspace: string, pk: string): boolean {
  return pk === workspacePk(workspace) || pk.startsWith(`${workspacePk(workspace)}#`);
}

export const keys = {
  workspace: (workspace: string): Key => ({ pk: workspacePk(workspace), sk: "WORKSPACE" }),
  workspaceEntry: (workspace: string): Key => ({ pk: "WORKSPACES", sk: segment(workspace) }),
  setting: (workspace: string, name: string): Key => ({ pk: workspacePk(workspace), sk: `SETTING#${name}` }),
  signingKey: (workspace: string): Key => ({ pk: workspacePk(workspace), sk: "SIGNINGKEY" }),
  token: (workspace: string, hash: string): Key => ({ pk: workspacePk(workspace), sk: `TOKEN#${hash}` }),
  domain: (workspace: string, domain: string): Key => ({
    pk: workspacePk(workspace),
    sk: `DOMAIN#${segment(domain)}`,
  }),
  webhookEndpoint: (workspace: string, id: string): Key => ({ pk: workspacePk(workspace), sk: `HOOK#${segment(id)}` }),
  /** When the endpoint's next delivery may start. */
  webhookRate: (workspace: string, id: string): Key => ({ pk: webhookPk(workspace, id), sk: "RATE" }),
  /** `sk` orders them by when they are due. */
  pendingDelivery: (workspace: string, endpointId: string, dueAt: number, id: string): Key => ({
    pk: keys.pendingDeliveries(workspace, endpointId),
    sk: `${String(dueAt).padStart(13, "0")}#${id}`,
  }),
  pendingDeliveries: (workspace: string, endpointId: string) => `${webhookPk(workspace, endpointId)}#Q`,
  /** A delivery's id begins with its time, so the log is in the order of the events. */
  deliveryLog: (workspace: string, endpointId: string, id: string): Key => ({
    pk: `${webhookPk(workspace, endpointId)}#LOG`,
    sk: id,
  }),
  organization: (workspace: string, id: string): Key => ({ pk: organizationPk(workspace, id), sk: "ORG" }),
  organizationEntry: (workspace: string, id: string): Key => ({
    pk: keys.organizationShard(workspace, shardOf(id)),
    sk: segment(id),
  }),
  organizationShard: (workspace: string, shard: number) => `${workspacePk(workspace)}#ORGS#${shard}`,
  user: (workspace: string, organizationId: string, id: string): Key => ({
    pk: keys.userShard(workspace, organizationId, shardOf(id)),
    sk: segment(id),
  }),
  userShard: (workspace: string, organizationId: string, shard: number) =>
    `${organizationPk(workspace, organizationId)}#U#${shard}`,
  folderGrant: (workspace: string, organizationId: string, userId: string, folderId: string): Key => ({
    pk: `${organizationPk(workspace, organizationId)}#UG#${segment(userId)}`,
    sk: `F#${segment(folderId)}`,
  }),
  folder: (workspace: string, organizationId: string, id: string): Key => ({
    pk: keys.folderShard(workspace, organizationId, shardOf(id)),
    sk: segment(id),
  }),
  folderShard: (workspace: string, organizationId: string, shard: number) =>
    `${organizationPk(workspace, organizationId)}#F#${shard}`,
  document: (workspace: string, organizationId: string, id: string): Key => ({
    pk: keys.documentShard(workspace, organizationId, shardOf(id)),
    sk: segment(id),
  }),
  documentShard: (workspace: string, organizationId: string, shard: number) =>
    `${organizationPk(workspace, organizationId)}#D#${shard}`,
  child: (workspace: string, organizationId: string, folderId: string, kind: "D" | "F", id: string): Key => ({
    pk: keys.children(workspace, organizationId, folderId),
    sk: `${kind}#${segment(id)}`,
  }),
  children: (workspace: string, organizationId: string, folderId: string) =>
    `${organizationPk(workspace, organizationId)}#C#${segment(folderId)}`,
  documentLocator: (workspace: string, documentId: string, organizationId: string): Key => ({
    pk: `${workspacePk(workspace)}#DOC#${segment(documentId)}`,
    sk: segment(organizationId),
  }),
  documentGrant: (workspace: string, uid: string, userId: string): Key => ({
    pk: keys.documentData(workspace, uid),
    sk: `GRANT#${segment(userId)}`,
  }),
  documentData: (workspace: string, uid: string) => `${workspacePk(workspace)}#X#${uid}`,
  userGroup: (workspace: string, organizationId: string, groupId: string): Key => ({
    pk: organizationPk(workspace, organizationId),
    sk: `GROUP#${segment(groupId)}`,
  }),
  userGroupMember: (workspace: string, organizationId: string, groupId: string, userId: string): Key => ({
    pk: `${organizationPk(workspace, organizationId)}#G#${segment(groupId)}`,
    sk: segment(userId),
  }),
  /** `hash` stands for an endpoint and the key that its caller gave. */
  idempotency: (workspace: string, hash: string): Key => ({
    pk: keys.idempotencyShard(workspace, shardOf(hash)),
    sk: hash,
  }),
  /** The `part`-th further piece of a reply that one item cannot hold, of one claim. */
  idempotencyPart: (workspace: string, hash: string, claimId: string, part: number): Key => ({
    pk: keys.idempotencyShard(workspace, shardOf(hash)),
    sk: `${hash}#${claimId}#${part}`,
  }),
  idempotencyShard: (workspace: string, shard: number) => `${workspacePk(workspace)}#I#${shard}`,
  /** `fingerprint` stands for a file and what was asked of it. */
  ingestRun: (workspace: string, fingerprint: string): Key => ({
    pk: keys.ingestRunShard(workspace, shardOf(fingerprint)),
    sk: fingerprint,
  }),
  ingestRunShard: (workspace: string, shard: number) => `${workspacePk(workspace)}#RUNS#${shard}`,
  job: (id: string): Key => ({ pk: `JOB#${id}`, sk: "JOB" }),
};
