import { existsSync } from "node:fs";
import * as z from "zod/mini";
import * as Workspace from "../../lib/store/workspace.ts";
import { demoPath, readJson, replace } from "./files.ts";
import { StartError } from "./start-error.ts";

export interface Demo {
  apiKey: string;
  /** It has all scopes. */
  authToken: string;
  /** It has only the scope `read`. */
  readToken: string;
}

/** Pages of this machine may call with the token of a user. */
const localDomains = ["localhost", "127.0.0.1"];

const savedDemo = z.object({ apiKey: z.string(), authToken: z.string(), readToken: z.string() });

/**
 * Returns the data folder's demo workspace. Only `demo.json` keeps its tokens: the table stores hashes. So an existing
 * `demo.json` is never replaced by that of a new workspace. Throws StartError if it does not fit the table.
 */
export async function demoWorkspace(dir: string): Promise<Demo> {
  const path = demoPath(dir);
  const saved = savedDemo.safeParse(readJson(path)).data;
  if (!saved && existsSync(path)) {
    throw new StartError(
      `${path} does not have the keys of the demo workspace. Correct it, or remove it: then there is a new demo workspace.`,
    );
  }
  if (saved && !(await Workspace.get({ workspace: saved.apiKey }))) {
    throw new StartError(
      `The table does not have the workspace of ${path}. Use the engine that has it, or remove the file: then there is a new demo workspace.`,
    );
  }
  if (saved) return saved;
  const { createWorkspace } = await import("../../lib/workspace/workspaces.ts");
  const AuthToken = await import("../../lib/store/access/auth-token.ts");
  const Setting = await import("../../lib/store/setting.ts");
  const Domain = await import("../../lib/store/domain.ts");
  const { apiKey } = await createWorkspace({ name: "demo" });
  await Setting.update({ workspace: apiKey }, "switches", { browser: true, live: true });
  await Domain.add({ workspace: apiKey }, localDomains);
  const { authToken } = await AuthToken.create({ workspace: apiKey }, { name: "demo" });
  const { authToken: readToken } = await AuthToken.create(
    { workspace: apiKey },
    { name: "demo, read only", scopes: ["read"] },
  );
  const demo = { apiKey, authToken, readToken };
  replace(path, `${JSON.stringify(demo, null, 2)}\n`);
  return demo;
}
