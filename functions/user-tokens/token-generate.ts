import { type JWTPayload, SignJWT } from "jose";
import * as z from "zod/mini";
import { grantAccess } from "../../lib/access/grant-access.ts";
import { tokenSeconds } from "../../lib/access/key-times.ts";
import { byOrganization } from "../../lib/access/requested-grants.ts";
import { algorithm, currentKey } from "../../lib/access/signing-keys.ts";
import { config } from "../../lib/config.ts";
import { createOrganizations } from "../../lib/content/existing.ts";
import { invalidField } from "../../lib/errors.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { newId } from "../../lib/new-id.ts";
import { IsAdmin, ResourceGrant } from "../../lib/schema/access.ts";
import { RealUserId } from "../../lib/schema/fields.ts";
import { mustBeAtLeast, mustBeList, mustBeObject, mustHaveAtMost } from "../../lib/schema/messages.ts";
import { bulkMax, optional, Text } from "../../lib/schema/primitives.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";
import { isActive } from "../../lib/store/access/grant.ts";
import { tokenKeys } from "../../lib/store/access/signing-key.ts";
import * as TokenRevocation from "../../lib/store/access/token-revocation.ts";

export const tokenGenerate = endpoint({
  name: "token-generate",
  path: "/v2/auth/generate_token",
  contract: 2,
  summary: "Generate a user token",
  description:
    "Create or update a user, store the given permissions, and return a token. By default it is valid for 48 hours.",
  grants: ["table:read", "table:write", "table:delete", "key:seal:signing-key", "key:unseal:signing-key"],
  events: ["organization.add", "user.update", "permission.update"],
  data: z.object({
    userId: RealUserId,
    userProperties: z
      .object(
        {
          name: Text.check(z.describe("The name to show for the user. It is in the token.")),
          email: Text.check(z.describe("The user's e-mail address. It is in the token.")),
          isAdmin: optional(IsAdmin),
          organizationId: optional(z.unknown().check(z.meta({ not: {} }))),
        },
        mustBeObject,
      )
      .check(
        z.refine(({ organizationId }) => organizationId === undefined, {
          error: 'Must be absent: send a resource of type "organization" instead.',
          path: ["organizationId"],
          when: whenValid("organizationId"),
        }),
        z.describe("The profile of the user, who is created or updated."),
      ),
    expiresInSeconds: optional(
      z
        .int("Must be a whole number of seconds.")
        .check(
          z.minimum(300, mustBeAtLeast(300)),
          z.maximum(tokenSeconds, "Must be at most 172,800, 48 hours."),
          z.describe("How long the token is valid. Default: 172,800 seconds, 48 hours."),
        ),
    ),
    permissions: z
      .object(
        {
          resources: z
            .array(ResourceGrant, mustBeList)
            .check(
              z.maxLength(bulkMax, mustHaveAtMost(bulkMax)),
              z.describe("The organizations, folders and documents, each with what is granted there."),
            ),
        },
        mustBeObject,
      )
      .check(z.describe("The grants to store. They are in the token too.")),
  }),
  example: {
    userId: "alice",
    userProperties: { name: "Alice Meyer", email: "alice@example.com" },
    permissions: { resources: [{ type: "organization", id: "acme" }] },
  },
  reply: z.object({
    token: z.string().check(z.describe("The signed token (JWT, ES256). Its `sub` is the user's id.")),
    permissionsOmitted: z
      .optional(z.literal(true))
      .check(z.describe("Present: the token would exceed 8 KB, so it has no permissions, or no organizations either.")),
  }),
  message: "Token generated.",

  /** See DECISIONS.md#grants. */
  async handle({ data, caller, request, say }) {
    const { workspace } = caller;
    const { userId, userProperties, permissions, expiresInSeconds = tokenSeconds } = data;
    const { name, email, isAdmin = false } = userProperties;
    const resources = [...byOrganization(permissions.resources).values()].flat();
    const iss = config.tokenIssuer() ?? `https://${request.host}`;
    const user = { iss, sub: userId, jti: newId(), name, email, isAdmin };
    const signing = tokenSigner({ workspace, userId }, expiresInSeconds);
    // Claims that do not fit are left out.
    const check = signing.then(async (sign) => {
      const least = await sign({ ...user, permissionsOmitted: true });
      if (least.length <= tokenBytesMax) return least;
      const message = `Even without permissions, the token would have ${least.length} bytes; at most ${tokenBytesMax} are allowed. Shorten name or email.`;
      throw invalidField(["userProperties"], message);
    });
    const named = new Map(resources.filter(({ type }) => type === "organization").map((each) => [each.id, each]));
    const create = async (missing: readonly string[]) => {
      const organizations = missing.filter((id) => named.has(id)).map((organizationId) => ({ organizationId }));
      await createOrganizations({ workspace }, organizations);
    };
    const profile = { name, email };
    const generations = await grantAccess({ workspace, userId, resources, profile, isAdmin, check, create });
    const [sign, least] = await Promise.all([signing, check]);
    const organizations = generations.map(([id, generation]) => {
      const expiresAt = named.get(id)?.expiresAt;
      const claim = { id, generation, isAdmin: isAdmin && isActive(named.get(id)) };
      return { ...claim, ...(expiresAt !== undefined && { expiresAt }) };
    });
    const isIdle = isAdmin && !organizations.some((each) => each.isAdmin);
    const said = `Token generated.${isIdle ? noEffect : ""}`;
    say(said);
    const held = resources.map((each) => ({ ...each, accessRole: each.accessRole ?? "editor" }));
    const full = await sign({ ...user, organizations, permissions: { resources: held } });
    if (full.length <= tokenBytesMax) return { token: full };
    const partial = await sign({ ...user, organizations, permissionsOmitted: true });
    const isPartial = partial.length <= tokenBytesMax;
    const omitted = isPartial ? "permissions" : "permissions and no organizations";
    say(`${said} It has no ${omitted}, since it would exceed 8 KB: a receiver asks permissions/get.`);
    return { token: isPartial ? partial : least, permissionsOmitted: true as const };
  },
});
export const handler = lambda(tokenGenerate);

const noEffect = " isAdmin has no effect: no organization is among the resources, or its grant has ended.";

/** Common servers accept a header of this size. */
const tokenBytesMax = 8_192;

/**
 * Returns a function that signs claims as a token of this user (DECISIONS.md#user-tokens), valid for so many seconds from
 * then. The workspace's current key signs.
 */
async function tokenSigner(owner: TokenRevocation.TokenOwner, seconds: number) {
  const { workspace } = owner;
  const [{ kid, privateKey }, revokedAt] = await Promise.all([
    currentKey(tokenKeys(workspace)),
    TokenRevocation.revokedAt(owner),
  ]);
  return (claims: JWTPayload) =>
    new SignJWT({ ...claims, ...(revokedAt !== undefined && { revokedAt }) })
      .setProtectedHeader({ alg: algorithm, kid, typ: "JWT" })
      .setAudience(workspace)
      .setIssuedAt()
      .setExpirationTime(`${seconds}s`)
      .sign(privateKey);
}
