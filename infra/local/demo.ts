import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { readJson, replace } from "./files.ts";
import { StartError } from "./start-error.ts";

export interface Demo {
  apiKey: string;
  /** It has all scopes. */
  authToken: string;
  /** It has only the scope `read`. */
  readToken: string;
}

/** A folder of an earlier version has no `readToken`. */
const savedDemo = z.object({ apiKey: z.string(), authToken: z.string(), readToken: z.optional(z.string()) });

export const demoFile = (dir: string) => join(dir, "demo.json");

/** Returns the data folder's demo workspace. `demo.json` keeps its tokens, because the table stores only hashes. */
export async function demoWorkspace(dir: string, { isNew }: { isNew: boolean }): Promise<Demo> {
  const path = demoFile(dir);
  // Read in any case: a file that cannot be read cannot be written to either.
  const file = readJson(path);
  const saved = isNew ? undefined : savedDemo.safeParse(file).data;
  if (!isNew && !saved && existsSync(path)) {
    throw new StartError(
      `${path} does not have the keys of the demo workspace. Correct it, or remove it: then there is a new demo workspace.`,
    );
  }
  if (saved?.readToken) return { ...saved, readToken: saved.readToken };
  const { createWorkspace } = await import("../../lib/workspace/create-workspace.ts");
  const AuthToken = await import("../../lib/store/auth-token.ts");
  const { apiKey } = saved ?? (await createWorkspace({ name: "demo" }));
  const { authToken } = saved ?? (await AuthToken.create({ workspace: apiKey }, { name: "demo" }));
  const { authToken: readToken } = await AuthToken.create(
    { workspace: apiKey },
    { name: "demo, read only", scopes: ["read"] },
  );
  const demo = { apiKey, authToken, readToken };
  replace(path, `${JSON.stringify(demo, null, 2)}\n`);
  return demo;
}
