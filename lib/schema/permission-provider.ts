// The wire shape of the permission provider, in the replies of the get and the update endpoint.
import * as z from "zod/mini";

export const PermissionProvider = z.object({
  usePermissionProvider: z
    .boolean()
    .check(z.describe("Whether the provider decides about access, instead of the stored grants.")),
  permissionProviderConfig: z
    .object({
      permissionProviderUrl: z
        .string()
        .check(
          z.describe(
            "The URL that is asked, at a public address. Empty: no provider. Another origin removes the stored token.",
          ),
        ),
      authToken: z
        .string()
        .check(z.describe("The token that the provider gets as a bearer token. An empty string removes it.")),
    })
    .check(z.describe("Where the provider is, and what it gets as its credentials.")),
});
