import { startCannedVendors } from "../../infra/local/demo-ai.ts";
import { type AiVendor, aiVendors } from "../../lib/schema/setting-names.ts";
import { purposes, seal } from "../../lib/secrets.ts";
import * as Setting from "../../lib/store/setting.ts";

/**
 * Starts a local model, with keys of all vendors in the workspace's settings, as a deployment has them. `vendor`: the
 * workspace's default.
 */
export async function startModel(workspace: string, vendor?: AiVendor): Promise<{ close(): void }> {
  const server = await startCannedVendors();
  const changes: Record<string, string> = vendor ? { defaultProvider: vendor } : {};
  for (const each of aiVendors) {
    changes[`${each}ApiKeySealed`] = await seal("a-key", { workspace, purpose: purposes.aiKey[each] });
    changes[`${each}BaseUrl`] = server.baseUrl(each);
  }
  await Setting.change({ workspace }, "ai", undefined, () => changes);
  return server;
}
