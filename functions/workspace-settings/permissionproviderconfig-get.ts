import * as z from "zod/mini";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { PermissionProvider } from "../../lib/schema/permission-provider.ts";
import { purposes, unseal } from "../../lib/secrets.ts";

export const permissionproviderconfigGet = endpoint({
  name: "permissionproviderconfig-get",
  path: "/v2/workspace/permissionproviderconfig/get",
  contract: 14,
  summary: "Get the permission provider",
  description: "Get the permission provider's configuration, with its auth token in plain text.",
  settings: ["permissionProvider"],
  grants: ["table:read", "key:unseal:permission-provider"],
  data: z.object({}),
  reply: PermissionProvider,
  message: "Permission provider configuration retrieved.",

  async handle({ caller }) {
    const stored = await caller.setting("permissionProvider");
    const { usePermissionProvider, permissionProviderUrl, authTokenSealed: sealed } = stored;
    const context = { workspace: caller.workspace, purpose: purposes.permissionProvider };
    const authToken = sealed && (await unseal(sealed, context)).reveal();
    return { usePermissionProvider, permissionProviderConfig: { permissionProviderUrl, authToken } };
  },
});
export const handler = readLambda(permissionproviderconfigGet);
