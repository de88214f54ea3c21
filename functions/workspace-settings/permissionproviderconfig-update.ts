import * as z from "zod/mini";
import { invalidField } from "../../lib/errors.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { HeaderValue, mask, unmasked } from "../../lib/schema/header-value.ts";
import { mustBeObject } from "../../lib/schema/messages.ts";
import { PermissionProvider } from "../../lib/schema/permission-provider.ts";
import { Flag, mustHaveNo, optional, Text } from "../../lib/schema/primitives.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import { purposes, seal } from "../../lib/secrets.ts";
import { addressProblem } from "../../lib/store/secret-addresses.ts";
import * as Setting from "../../lib/store/setting.ts";

/** Empty: no provider. */
const Url = Text.check(
  mustHaveNo((url) => (url === "" ? undefined : addressProblem(purposes.permissionProvider, url))),
);

export const permissionproviderconfigUpdate = endpoint({
  name: "permissionproviderconfig-update",
  path: "/v2/workspace/permissionproviderconfig/update",
  summary: "Set the permission provider",
  description:
    "Set the permission provider: the URL that decides about access instead of the stored grants. A URL with another origin removes the stored token.",
  settings: ["permissionProvider"],
  grants: ["table:read", "table:write", "key:seal:permission-provider"],
  data: z
    .object({
      usePermissionProvider: optional(Flag).check(
        z.describe("Whether the provider decides about access, instead of the stored grants."),
      ),
      permissionProviderConfig: optional(
        z.object(
          {
            permissionProviderUrl: optional(Url).check(
              z.describe(
                "The URL that is asked, at a public address. Empty: no provider. Another origin removes the stored token.",
              ),
            ),
            authToken: optional(HeaderValue).check(
              z.describe(
                "The token that the provider gets as a bearer token. Its mask keeps it, an empty string removes it.",
              ),
            ),
          },
          mustBeObject,
        ),
      ).check(z.describe("Where the provider is, and what it gets as its credentials.")),
    })
    .check(
      z.refine(
        ({ usePermissionProvider, permissionProviderConfig }) =>
          usePermissionProvider !== undefined || permissionProviderConfig !== undefined,
        {
          error: "Give usePermissionProvider or permissionProviderConfig.",
          when: whenValid("usePermissionProvider", "permissionProviderConfig"),
        },
      ),
    ),
  example: {
    usePermissionProvider: true,
    permissionProviderConfig: { permissionProviderUrl: "https://example.com/permissions", authToken: "a-secret" },
  },
  reply: PermissionProvider,
  message: "Permission provider configuration updated.",

  async handle({ data, caller }) {
    const { workspace } = caller;
    const { permissionProviderUrl: url, authToken: given } = data.permissionProviderConfig ?? {};
    const authToken = unmasked(given);
    const changes = {
      ...(data.usePermissionProvider !== undefined && { usePermissionProvider: data.usePermissionProvider }),
      ...(url !== undefined && { permissionProviderUrl: url }),
      ...(authToken !== undefined && { authTokenSealed: await sealed(authToken) }),
    };
    const known = await caller.setting("permissionProvider");
    const setting = await Setting.change(caller.ref, "permissionProvider", known, (stored) => {
      const next = { ...stored, ...changes };
      if (next.usePermissionProvider && !next.permissionProviderUrl) {
        throw invalidField(
          ["permissionProviderConfig", "permissionProviderUrl"],
          "Is required to enable the provider.",
        );
      }
      return changes;
    });
    return {
      usePermissionProvider: setting.usePermissionProvider,
      permissionProviderConfig: {
        permissionProviderUrl: setting.permissionProviderUrl,
        authToken: setting.authTokenSealed && mask,
      },
    };

    function sealed(token: string): Promise<string> | "" {
      return token && seal(token, { workspace, purpose: purposes.permissionProvider });
    }
  },
});
export const handler = lambda(permissionproviderconfigUpdate);
