// Folders never move and are never deleted, so each keeps what it inherits: its ancestors and their access type.

import { type Position, pageOfShards } from "../dynamodb/sharded-page.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import type { AccessType } from "../schema/primitives.ts";
import { pageOfChildren } from "./children.ts";
import { keys } from "./keys.ts";

export interface Folder {
  folderId: string;
  folderName?: string | undefined;
  parentFolderId?: string | undefined;
  /** Its own. */
  accessType?: AccessType | undefined;
  /** Its own or else its nearest ancestor's. */
  effectiveAccessType?: AccessType | undefined;
  /** Nearest first, without itself. */
  ancestors: string[];
  createdAt: string;
}

/** The parent of what lies at the organization's root. */
export const root = "";

export async function get(workspace: string, organizationId: string, folderId: string): Promise<Folder | undefined> {
  return Table.get<Folder>(keys.folder(workspace, organizationId, folderId));
}

export async function getMany(workspace: string, organizationId: string, ids: readonly string[]) {
  return Table.getMany<Folder>(ids.map((id) => keys.folder(workspace, organizationId, id)));
}

/** The writes that create a folder; the first one's condition is lost where the id is taken. */
export function creation(workspace: string, organizationId: string, folder: Folder): Write[] {
  const { folderId, parentFolderId = root } = folder;
  return [
    { put: { ...keys.folder(workspace, organizationId, folderId), ...folder }, if: "absent" },
    { put: { ...keys.child(workspace, organizationId, parentFolderId, "F", folderId), folderId } },
  ];
}

export async function page(workspace: string, organizationId: string, limit: number, from?: Position) {
  return pageOfShards<Folder>((shard) => keys.folderShard(workspace, organizationId, shard), limit, from);
}

/** One page of the folders directly in a folder. */
export async function childrenOf(
  workspace: string,
  organizationId: string,
  parent: string,
  limit: number,
  from?: Position,
) {
  const pk = keys.children(workspace, organizationId, parent);
  return pageOfChildren({ pk, beginsWith: "F#", limit }, from, (children) =>
    getMany(
      workspace,
      organizationId,
      children.map(({ folderId }) => folderId as string),
    ),
  );
}
