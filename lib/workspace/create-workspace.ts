import { newSigningKey } from "../access/signing-keys.ts";
import * as SigningKey from "../store/access/signing-key.ts";
import * as Workspace from "../store/workspace.ts";

/** Creates a workspace with its signing key, so that its public keys are listed from then on. Returns its API key. */
export async function createWorkspace({ name }: { name: string }): Promise<{ apiKey: string }> {
  const apiKey = Workspace.newApiKey();
  const key = await newSigningKey(apiKey);
  return Workspace.create({ name, apiKey }, [SigningKey.creating({ workspace: apiKey }, key)]);
}
