import * as z from "zod/mini";
import { grantAccess } from "../../lib/access/grant-access.ts";
import { byOrganization } from "../../lib/access/grants.ts";
import { signToken, tokenBytesMax } from "../../lib/access/token.ts";
import { config } from "../../lib/config.ts";
import { invalidField } from "../../lib/errors.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { ResourceGrant } from "../../lib/schema/access.ts";
import { mustBeList, mustBeObject, mustHaveAtMost } from "../../lib/schema/messages.ts";
import { bulkMax, distinct, Flag, Id, optional, Text } from "../../lib/schema/primitives.ts";
import * as Organization from "../../lib/store/organization.ts";

export const tokenGenerate = endpoint({
  name: "token-generate",
  path: "/v2/auth/generate_token",
  group: "access",
  contract: 2,
  summary: "Create or update a user, store the given permissions, and return a token that is valid for 48 hours.",
  grants: ["table:read", "table:write", "key:seal:signing-key", "key:unseal:signing-key"],
  events: ["organization.add", "user.update", "permission.update"],
  data: z.object({
    userId: Id,
    userProperties: z
      .object({ name: Text, email: Text, isAdmin: optional(Flag), organizationId: optional(z.unknown()) }, mustBeObject)
      .check(
        z.refine(({ organizationId }) => organizationId === undefined, {
          error: 'Must be absent: send a resource of type "organization" instead.',
          path: ["organizationId"],
        }),
      ),
    permissions: z.object(
      {
        resources: z.array(ResourceGrant, mustBeList).check(z.maxLength(bulkMax, mustHaveAtMost(bulkMax))),
      },
      mustBeObject,
    ),
  }),
  reply: z.object({ token: z.string() }),
  message: "Token generated.",

  /** See DECISIONS.md#generating-a-token. */
  async handle({ data, caller, request }) {
    const { workspace } = caller;
    const { userId, userProperties, permissions } = data;
    const { name, email, isAdmin = false } = userProperties;
    const resources = [...byOrganization(permissions.resources).values()].flat();
    const token = await signToken(workspace, {
      iss: config.tokenIssuer() ?? `https://${request.host}`,
      sub: userId,
      name,
      email,
      isAdmin,
      permissions: { resources: resources.map((each) => ({ ...each, accessRole: each.accessRole ?? "editor" })) },
    });
    if (token.length > tokenBytesMax) {
      const message = `The token would have ${token.length} bytes; at most ${tokenBytesMax} are allowed.`;
      throw invalidField(["permissions", "resources"], message);
    }
    const organizations = resources.filter(({ type }) => type === "organization");
    await Organization.ensureAll({ workspace }, distinct(organizations.map(({ id }) => id)));
    await grantAccess({ workspace, userId, resources, profile: { name, email }, isAdmin });
    return { token };
  },
});
export const handler = lambda(tokenGenerate);
