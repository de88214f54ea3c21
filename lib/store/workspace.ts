// A workspace is its API key. The record never changes, so a container may keep it; what changes is in its settings.
import { randomBytes } from "node:crypto";
import * as Table from "../dynamodb/table.ts";
import type { Job } from "../jobs/queue.ts";
import { keys } from "./keys.ts";

export interface Workspace {
  apiKey: string;
  name: string;
  createdAt: string;
  /** 32 random bytes, base64url: page tokens are sealed under it. Whoever can read it can read the pages too. */
  cursorSecret: string;
}

export async function get(apiKey: string): Promise<Workspace | undefined> {
  return Table.get<Workspace>(keys.workspace(apiKey));
}

/** Creates a workspace; answers its API key. */
export async function create({ name = "" }: { name?: string } = {}): Promise<{ apiKey: string }> {
  const apiKey = `ws_${randomBytes(18).toString("base64url")}`;
  const createdAt = new Date().toISOString();
  const record: Workspace = { apiKey, name, createdAt, cursorSecret: randomBytes(32).toString("base64url") };
  await Table.commit([
    { put: { ...keys.workspace(apiKey), ...record }, if: "absent" },
    { put: { ...keys.workspaceEntry(apiKey), apiKey, name, createdAt } },
  ]);
  return { apiKey };
}

/** Takes a workspace away: its calls are refused, and `purge` removes what it holds. False: there is none. */
export async function remove(apiKey: string, purge: Job): Promise<boolean> {
  const record = { delete: keys.workspace(apiKey), if: "present" as const };
  return Table.commit([record, { delete: keys.workspaceEntry(apiKey) }], { jobs: [purge] });
}

/** Every workspace of the deployment: for the administration console only. */
export async function list(): Promise<Pick<Workspace, "apiKey" | "name" | "createdAt">[]> {
  const pages = Table.all<Pick<Workspace, "apiKey" | "name" | "createdAt">>({ pk: keys.workspaceEntry("").pk });
  return (await Array.fromAsync(pages)).flat().map(({ apiKey, name, createdAt }) => ({ apiKey, name, createdAt }));
}
