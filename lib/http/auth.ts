// Verifies the credentials of a call. A refusal does not say which part was right. One request reads them and the
// settings that the endpoint declares. Valid credentials are cached for 30 s, but not past the end of the token. So a
// revoked token works up to 30 s longer. An expired token never works. Refusals and settings are never cached.
import { timingSafeEqual } from "node:crypto";
import { callSignal } from "../call.ts";
import * as Table from "../dynamodb/table.ts";
import { ApiError } from "../errors.ts";
import { Lru } from "../lru.ts";
import type { Scope } from "../schema/scopes.ts";
import {
  type AuthToken,
  authTokenEntity,
  hashOf,
  idOf,
  rightsOf,
  type TokenRights,
} from "../store/access/auth-token.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import { type SettingName, settingEntity, settingOf } from "../store/setting.ts";
import { type StoredWorkspace, type Workspace, workspaceEntity, workspaceOf } from "../store/workspace.ts";
import { serversOf } from "./call-rate.ts";
import type { Caller } from "./endpoint.ts";

const cachedMs = 30_000;
const cachedMax = 1_000;

interface Known {
  record: Workspace;
  rights: TokenRights;
}

const cache = new Lru<string, Known & { until: number }>(cachedMax);

export const apiKeyHeader = "x-service-api-key";
export const authTokenHeader = "x-service-auth-token";

/**
 * Returns the caller whose credentials the headers carry. PERMISSION_DENIED when they are missing or not valid. With
 * cached credentials, it does not read the declared settings: `readSettings` and `setting` do.
 */
export async function authenticate(
  headers: Record<string, string | undefined>,
  settings: readonly SettingName[],
): Promise<Caller> {
  if (hasUserToken(headers)) throw notForUsers(headers[authTokenHeader] !== undefined);
  const workspace = headerOf(headers, apiKeyHeader);
  const hash = hashOf(headerOf(headers, authTokenHeader));
  const known = cached({ workspace }, hash);
  const wanted = settingKeys({ workspace }, settings);
  if (known) return callerOf(known, () => Table.getMany<object>(wanted));
  const keys = [workspaceEntity.key({ workspace }), authTokenEntity.key({ workspace, hash }), ...wanted];
  const [record, token, ...items] = await Table.getMany<object>(keys);
  if (!record) throw denied(apiKeyHeader);
  const rights = validRights(token as AuthToken | undefined, hash);
  if (!rights) throw denied(authTokenHeader);
  const checked = { record: workspaceOf(record as StoredWorkspace), rights };
  const endsAt = (rights.expiresAt ?? Number.POSITIVE_INFINITY) * 1_000;
  cache.set(cacheKey({ workspace }, hash), { ...checked, until: Math.min(Date.now() + cachedMs, endsAt) });
  return callerOf(checked, async () => items);

  function callerOf({ record, rights }: Known, read: () => Promise<(object | undefined)[]>): Caller {
    return newCaller({ record, rights, authTokenId: idOf(hash), buckets: [serversOf(record)] }, settings, read);
  }
}

/** Whether the call has a user's token, valid or not. */
export const hasUserToken = ({ authorization = "" }: Record<string, string | undefined>) =>
  /^Bearer\b/i.test(authorization);

/** Something between a page and the API can add a server's credentials to all calls: then no user may call. */
const notForUsers = (hasBoth: boolean) =>
  new ApiError(
    "PERMISSION_DENIED",
    hasBoth
      ? `Send a user's token in authorization, or a server's in ${authTokenHeader}, not both.`
      : "A user's token does not open this endpoint: only servers may call it.",
  );

/** A caller whose credentials are valid. `read` returns the stored settings, in the order of their names. */
export function newCaller(
  known: Pick<Caller, "record" | "rights" | "authTokenId" | "buckets" | "user">,
  settings: readonly SettingName[],
  read: () => Promise<(object | undefined)[]>,
): Caller {
  const workspace = known.record.apiKey;
  let stored: { items: Promise<(object | undefined)[]>; signal: AbortSignal | undefined } | undefined;
  const readSettings = () => {
    // An endpoint that ran early can have been ended (`keyed-call.ts`).
    if (!stored || stored.signal?.aborted) stored = { items: read(), signal: callSignal() };
    stored.items.catch(() => {}); // `setting` throws the failure. An endpoint that reads no setting must not fail.
    return stored.items;
  };
  return {
    ...known,
    workspace,
    ref: { workspace },
    readSettings: () => void readSettings(),
    setting: async (name) => settingOf(name, (await readSettings())[settings.indexOf(name)]),
  };
}

/** Throws PERMISSION_DENIED if the token lacks the scope (DECISIONS.md#scopes). `where` names the token. */
export function requireScope({ scopes }: Pick<TokenRights, "scopes">, scope: Scope, where = authTokenHeader): void {
  if (scopes.includes(scope)) return;
  throw new ApiError("PERMISSION_DENIED", `This call needs the scope ${scope}. The token of ${where} lacks it.`);
}

/**
 * Verifies credentials that a call repeats in its data (DECISIONS.md#repeated-credentials). PERMISSION_DENIED when they
 * are not valid, belong to another workspace, or lack the scope.
 */
export async function verifyRepeatedCredentials(
  { workspace }: WorkspaceRef,
  { apiKey, authToken }: { apiKey: string; authToken: string },
  scope: Scope,
): Promise<void> {
  if (!equal(hashOf(apiKey), hashOf(workspace))) throw deniedField("apiKey");
  const hash = hashOf(authToken);
  const known = cached({ workspace }, hash);
  const token = known ? undefined : await Table.get<AuthToken>(authTokenEntity.key({ workspace, hash }));
  const rights = known?.rights ?? validRights(token, hash);
  if (!rights) throw deniedField("authToken");
  requireScope(rights, scope, "data.authToken");
}

/** Undefined: there is no such token, or it has expired. */
function validRights(token: AuthToken | undefined, hash: string): TokenRights | undefined {
  return token && equal(token.hash, hash) ? rightsOf(token) : undefined;
}

const cacheKey = ({ workspace }: WorkspaceRef, hash: string) => `${hash} ${workspace}`;

function cached(ref: WorkspaceRef, hash: string): Known | undefined {
  const known = cache.get(cacheKey(ref, hash));
  return known && known.until > Date.now() ? known : undefined;
}

const deniedField = (field: string) => new ApiError("PERMISSION_DENIED", `The field data.${field} is not valid.`);

function headerOf(headers: Record<string, string | undefined>, name: string): string {
  const value = headers[name];
  if (!value) throw new ApiError("PERMISSION_DENIED", `The header ${name} is missing.`);
  return value;
}

function denied(header: string): ApiError {
  return new ApiError("PERMISSION_DENIED", `The header ${header} is not valid.`);
}

function equal(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

export const settingKeys = ({ workspace }: WorkspaceRef, names: readonly SettingName[]) =>
  names.map((setting) => settingEntity.key({ workspace, setting }));
