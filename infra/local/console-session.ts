import { join } from "node:path";
import { createSession, newSecret, type Session } from "../console/session.ts";
import { createExclusively, readJson } from "./files.ts";

/** The sessions of a data folder. Browsers that have opened the console keep it when the server starts again. */
export function folderSession(folder: string): Session {
  const path = join(folder, "console.json");
  createExclusively(path, `${JSON.stringify({ secret: newSecret() })}\n`);
  return createSession(readJson<{ secret: string }>(path)?.secret);
}
