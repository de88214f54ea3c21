import { join } from "node:path";
import { readJson, replace } from "./files.ts";

export interface Demo {
  apiKey: string;
  /** It has all scopes. */
  authToken: string;
  /** It has only the scope `read`. */
  readToken: string;
}

export const demoFile = (dir: string) => join(dir, "demo.json");

/** Returns the data folder's demo workspace. `demo.json` keeps its tokens, because the table stores only hashes. */
export async function demoWorkspace(dir: string, { isNew }: { isNew: boolean }): Promise<Demo> {
  const path = demoFile(dir);
  const saved = isNew ? undefined : readJson<Omit<Demo, "readToken"> & Partial<Demo>>(path);
  if (saved?.readToken) return { ...saved, readToken: saved.readToken };
  const { createWorkspace } = await import("../../lib/workspace/create-workspace.ts");
  const AuthToken = await import("../../lib/store/auth-token.ts");
  const { apiKey } = saved ?? (await createWorkspace({ name: "demo" }));
  const { authToken } = saved ?? (await AuthToken.create({ workspace: apiKey }, { name: "demo" }));
  // A folder of an earlier version has no token of this kind.
  const { authToken: readToken } = await AuthToken.create(
    { workspace: apiKey },
    { name: "demo, read only", scopes: ["read"] },
  );
  const demo = { apiKey, authToken, readToken };
  replace(path, `${JSON.stringify(demo, null, 2)}\n`);
  return demo;
}

/** Returns a curl command that generates a user token, and one that only reads. */
export function curlCommands(url: string, { apiKey, authToken, readToken }: Demo): string[] {
  const user = {
    userId: "alice",
    userProperties: { name: "Alice", email: "alice@example.com" },
    permissions: { resources: [{ type: "organization", id: "demo" }] },
  };
  const command = (path: string, token: string, data: object) =>
    [
      `curl -s ${url}${path}`,
      "-H 'content-type: application/json'",
      `-H 'x-service-api-key: ${apiKey}'`,
      `-H 'x-service-auth-token: ${token}'`,
      `-d '${JSON.stringify({ data })}'`,
    ].join(" ");
  return [
    command("/v2/auth/generate_token", authToken, user),
    command("/v2/users/get", readToken, { organizationId: "demo" }),
  ];
}
