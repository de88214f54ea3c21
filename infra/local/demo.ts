import { join } from "node:path";
import { readJson, replace } from "./files.ts";

export interface Demo {
  apiKey: string;
  authToken: string;
}

/** Returns the data folder's demo workspace. `demo.json` keeps its token, because the table stores only a hash. */
export async function demoWorkspace(dir: string, { isNew }: { isNew: boolean }): Promise<Demo> {
  const path = join(dir, "demo.json");
  const saved = isNew ? undefined : readJson<Demo>(path);
  if (saved) return saved;
  const { createWorkspace } = await import("../../lib/workspace/create-workspace.ts");
  const AuthToken = await import("../../lib/store/auth-token.ts");
  const { apiKey } = await createWorkspace({ name: "demo" });
  const { authToken } = await AuthToken.create({ workspace: apiKey }, { name: "demo" });
  replace(path, `${JSON.stringify({ apiKey, authToken }, null, 2)}\n`);
  return { apiKey, authToken };
}

/** Returns a curl command that generates a user token. */
export function curlCommand(url: string, { apiKey, authToken }: Demo): string {
  const data = {
    userId: "alice",
    userProperties: { name: "Alice", email: "alice@example.com" },
    permissions: { resources: [{ type: "organization", id: "demo" }] },
  };
  return [
    `curl -s ${url}/v2/auth/generate_token`,
    "-H 'content-type: application/json'",
    `-H 'x-service-api-key: ${apiKey}'`,
    `-H 'x-service-auth-token: ${authToken}'`,
    `-d '${JSON.stringify({ data })}'`,
  ].join(" ");
}
