import { join } from "node:path";
import { newSecret } from "../console/session.ts";
import { createExclusively, readJson } from "./files.ts";

/** The cookie of a data folder. Browsers that have opened the console keep it when the server starts again. */
export function sessionSecret(folder: string): string | undefined {
  const path = join(folder, "console.json");
  createExclusively(path, `${JSON.stringify({ secret: newSecret() })}\n`);
  return readJson<{ secret: string }>(path)?.secret;
}
