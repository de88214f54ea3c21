// The rights of an auth token (DECISIONS.md#scopes).
import * as z from "zod/mini";

export const scopes = ["read", "write", "admin"] as const;
export type Scope = (typeof scopes)[number];

export const Scope = z
  .enum(scopes, 'Must be "read", "write" or "admin".')
  .check(
    z.describe(
      "read: calls that only read. write: changes, user tokens and calls to a language model. " +
        "admin: the configuration of the workspace. None of them includes another.",
    ),
  );
