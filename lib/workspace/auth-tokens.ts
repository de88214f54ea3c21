// Creates and revokes auth tokens (DECISIONS.md#auth-tokens).
import { currentCall } from "../call.ts";
import { ApiError, beyondLimit, notFound } from "../errors.ts";
import { newId } from "../new-id.ts";
import { scopes as allScopes } from "../schema/scopes.ts";
import { purposes, sealWithSharedKey, unseal } from "../secrets.ts";
import * as AuthToken from "../store/access/auth-token.ts";
import * as Change from "../store/access/auth-token-change.ts";
import type { WorkspaceRef } from "../store/refs.ts";

const tokensMax = 100;
/** Expired tokens that one creation deletes. */
const expiredMax = 25;

export interface CreatedToken {
  authToken: string;
  record: AuthToken.AuthToken;
}

/** Throws PERMISSION_DENIED if a token with these rights would have more than its creator. */
export function requireWithin(own: AuthToken.TokenRights, wanted: AuthToken.Wanted) {
  const missing = (wanted.scopes ?? allScopes).filter((scope) => !own.scopes.includes(scope));
  if (missing.length > 0) {
    const text = `A token can give only its own scopes. This one lacks ${missing.join(", ")}. Its scopes: ${own.scopes.join(", ")}.`;
    throw new ApiError("PERMISSION_DENIED", text);
  }
  const { expiresAt: end = Number.POSITIVE_INFINITY } = own;
  if ((wanted.expiresAt ?? Number.POSITIVE_INFINITY) <= end) return;
  const text = `This token expires at ${end}, and cannot create a token that lasts longer. Send an earlier expiresAt.`;
  throw new ApiError("PERMISSION_DENIED", text);
}

/**
 * A repeated attempt of a call with an Idempotency-Key returns the token of the first attempt. RESOURCE_EXHAUSTED if
 * the workspace has 100 tokens.
 */
export async function createToken({ workspace }: WorkspaceRef, wanted: AuthToken.Wanted): Promise<CreatedToken> {
  const creation = { workspace, creationId: newId() };
  const context = { workspace, purpose: purposes.idempotentReply };
  const canRepeat = currentCall()?.ids !== undefined;
  const copy = canRepeat ? await Change.copyOf(creation) : undefined;
  if (copy) return JSON.parse((await unseal(copy, context)).reveal());
  const created = AuthToken.newToken(wanted);
  const kept = canRepeat
    ? [Change.keepingCopy(creation, await sealWithSharedKey(JSON.stringify(created), context))]
    : [];
  await Change.change({ workspace }, (stored) => {
    const expired = stored.filter((token) => !AuthToken.rightsOf(token));
    if (stored.length - expired.length >= tokensMax) throw tooMany();
    const removed = expired.slice(0, expiredMax).map((token) => Change.removing({ workspace }, token));
    return [Change.adding({ workspace }, created.record), ...kept, ...removed];
  });
  return created;
}

/**
 * Returns false if no other token with the scope `admin` lasts as long. In this case, `evenLast` must be set: otherwise
 * it throws FAILED_PRECONDITION. NOT_FOUND if there is no such token, and it was not revoked in the last day.
 */
export async function revokeToken(ref: WorkspaceRef, tokenId: string, { evenLast = false } = {}): Promise<boolean> {
  let leavesAdmin = true;
  await Change.change(ref, async (stored) => {
    const token = stored.find(({ hash }) => AuthToken.idOf(hash) === tokenId);
    if (token) {
      leavesAdmin = !isLastAdmin(token, stored);
      if (!leavesAdmin && !evenLast) throw lastAdmin();
      return Change.revoking(ref, token);
    }
    if (!(await Change.wasRevoked(ref, tokenId))) throw notFound("auth token");
    return undefined;
  });
  return leavesAdmin;
}

/** Whether the workspace would have no other token with the scope `admin` until the token's own end. */
function isLastAdmin(token: AuthToken.AuthToken, stored: readonly AuthToken.AuthToken[]): boolean {
  const end = adminUntil(token);
  return end !== undefined && stored.every((each) => each.hash === token.hash || (adminUntil(each) ?? 0) < end);
}

/** Undefined: the token has no scope `admin`, or has expired. */
function adminUntil(token: AuthToken.AuthToken): number | undefined {
  const rights = AuthToken.rightsOf(token);
  return rights?.scopes.includes("admin") ? (rights.expiresAt ?? Number.POSITIVE_INFINITY) : undefined;
}

const tooMany = () => beyondLimit(`A workspace has at most ${tokensMax} auth tokens. Revoke one first.`);

function lastAdmin(): ApiError {
  const message =
    "No other token with the scope admin lasts as long as this one. Create one first, or revoke this one with: " +
    "npm run admin -- token revoke.";
  return new ApiError("FAILED_PRECONDITION", message);
}
