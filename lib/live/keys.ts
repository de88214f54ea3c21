// The keys of a workspace for channels and tickets. They derive from the secret of its page tokens: a reader of the table
// has no use for them.
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { Lru } from "../lru.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import * as Workspace from "../store/workspace.ts";

/** As key objects: neither JSON nor a log shows their bytes. */
export interface LiveKeys {
  names: KeyObject;
  tickets: KeyObject;
}

const cachedMs = 30_000;

const cache = new Lru<string, { keys: LiveKeys; until: number }>(1_000);

export function keysOf({ cursorSecret }: Pick<Workspace.Workspace, "cursorSecret">): LiveKeys {
  const derived = (use: string) =>
    createSecretKey(createHmac("sha256", cursorSecret.reveal()).update(`live ${use}`).digest());
  return { names: derived("names"), tickets: derived("tickets") };
}

/** The same for a workspace that is not read yet. Undefined: there is none. A container keeps the keys for 30 s. */
export async function loadKeys({ workspace }: WorkspaceRef): Promise<LiveKeys | undefined> {
  const known = cache.get(workspace);
  if (known && Date.now() < known.until) return known.keys;
  const record = await Workspace.get({ workspace });
  if (!record) return undefined;
  const keys = keysOf(record);
  cache.set(workspace, { keys, until: Date.now() + cachedMs });
  return keys;
}
