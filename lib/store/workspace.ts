// Workspaces. The API key is the id of a workspace. Containers cache the record with the credentials, for 30 s. Only an
// administrator changes the record. Everything that a workspace can change itself is in the settings.
import { randomBytes } from "node:crypto";
import { config } from "../config.ts";
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { tryUpdate } from "../dynamodb/try-update.ts";
import type { Write } from "../dynamodb/write.ts";
import { writeAll } from "../dynamodb/write-each.ts";
import { Secret } from "../secret.ts";
import { type WorkspaceRef, workspacePartition } from "./refs.ts";

export interface StoredWorkspace {
  apiKey: string;
  name: string;
  createdAt: string;
  /** The key of page tokens: 32 random bytes, base64url. Not sealed: a reader of the table can read the pages too. */
  cursorSecret: string;
  /** Calls in a second, on average and at once. Absent: the deployment's default. */
  callsPerSecond?: number;
  callsBurst?: number;
  /** E-mails and Slack messages on a day in UTC. Absent: the default. */
  messagesPerDay?: number;
}

export interface Workspace extends Omit<StoredWorkspace, "cursorSecret"> {
  cursorSecret: Secret;
}

export const workspaceOf = ({ cursorSecret, ...stored }: StoredWorkspace): Workspace => ({
  ...stored,
  cursorSecret: new Secret(cursorSecret),
});

type WorkspaceEntry = Pick<Workspace, "apiKey" | "name" | "createdAt">;

export const workspaceEntity = entity<StoredWorkspace>()({
  name: "workspace",
  attributes: ["apiKey", "name", "createdAt", "cursorSecret", "callsPerSecond", "callsBurst", "messagesPerDay"],
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  sk: () => "WORKSPACE",
});

export const workspaceEntryEntity = entity<WorkspaceEntry>()({
  name: "workspace-entry",
  attributes: ["apiKey", "name", "createdAt"],
  pk: () => "WORKSPACES",
  sk: ({ workspace }: WorkspaceRef) => segment(workspace),
});

export async function get(ref: WorkspaceRef): Promise<Workspace | undefined> {
  const stored = await Table.get<StoredWorkspace>(workspaceEntity.key(ref));
  return stored && workspaceOf(stored);
}

/**
 * `ws_` and 24 characters. In a cell it is `ws_<cell>_` and 24 characters, so that a router in front of several
 * deployments finds the right one (infra/CELLS.md). Nothing else reads the cell of a key.
 */
export function newApiKey(): string {
  const cell = config.cell();
  return `ws_${cell && `${cell}_`}${randomBytes(18).toString("base64url")}`;
}

/** Creates a workspace, together with the writes `more`. Returns its API key. */
export async function create(
  { name = "", apiKey = newApiKey() }: { name?: string; apiKey?: string } = {},
  more: readonly Write[] = [],
): Promise<{ apiKey: string }> {
  const ref = { workspace: apiKey };
  const entry = { apiKey, name, createdAt: new Date().toISOString() };
  const record = { ...entry, cursorSecret: randomBytes(32).toString("base64url") };
  await writeAll([workspaceEntity.put(ref, record, "absent"), workspaceEntryEntity.put(ref, entry), ...more]);
  return { apiKey };
}

export type Limits = Pick<Workspace, "callsPerSecond" | "callsBurst" | "messagesPerDay">;

/** Sets the workspace's own limits; undefined: all defaults. Returns the new limits; undefined: it was deleted. */
export async function setLimits(ref: WorkspaceRef, limits: Limits | undefined): Promise<Limits | undefined> {
  const changes = limits ? { set: limits } : { remove: ["callsPerSecond", "callsBurst", "messagesPerDay"] as const };
  return tryUpdate<Limits>(workspaceEntity.update(ref, changes, "present"), { isRepeatable: true });
}

/** The writes that remove a workspace. */
export const removing = (ref: WorkspaceRef): Write[] => [
  workspaceEntity.delete(ref, "present"),
  workspaceEntryEntity.delete(ref),
];

/** Every workspace of the deployment. Only for administration. */
export async function list(): Promise<WorkspaceEntry[]> {
  const entries = await Table.every<WorkspaceEntry>(workspaceEntryEntity.range({}));
  return entries.map(({ apiKey, name, createdAt }) => ({ apiKey, name, createdAt }));
}
