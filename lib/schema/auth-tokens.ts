// Auth tokens as calls give and show them (DECISIONS.md#auth-tokens).
import * as z from "zod/mini";
import { CreatedAt, Id, listOf, optional, UnixSeconds } from "./primitives.ts";
import { Scope, scopes } from "./scopes.ts";

export const AuthTokenId = Id.check(z.describe("The public id of the token. It is no secret."));

export const NewAuthToken = {
  name: optional(Id.check(z.describe("For lists. It need not be unique."))),
  scopes: optional(
    listOf(Scope, scopes.length).check(
      z.describe("What the token may do. Default: all three scopes. The caller's token must have them."),
    ),
  ),
  expiresAt: optional(
    UnixSeconds.check(
      z.describe(
        "When the token expires, in Unix seconds, without their fraction. Default: never. It must not last longer than the caller's token. A token with a past time never works.",
      ),
    ),
  ),
};

export const AuthTokenRecord = z.object({
  id: AuthTokenId,
  authToken: z.string().check(z.describe("In a list only its first characters.")),
  name: z.string().check(z.describe("The name that it was created with. Empty: none.")),
  scopes: z.array(Scope).check(z.describe("What the token may do.")),
  expiresAt: z.nullable(z.int()).check(z.describe("Unix seconds; null: it does not expire.")),
  createdAt: CreatedAt,
  createdBy: z
    .nullable(z.string())
    .check(z.describe("The id of the token that created it; null: an administrator created it.")),
});
