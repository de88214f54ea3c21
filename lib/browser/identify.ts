// Identifies the user who calls, by the token (DECISIONS.md#calls-of-users). One request reads what the check needs. A
// container keeps a success for 30 s. It keeps no refusal. So a revoked token and a removed domain work up to 30 s longer.
import { hash } from "node:crypto";
import { listedAt } from "../access/key-times.ts";
import { config } from "../config.ts";
import * as Table from "../dynamodb/table.ts";
import { ApiError } from "../errors.ts";
import { apiKeyHeader, authTokenHeader, hasUserToken, newCaller, settingKeys } from "../http/auth.ts";
import type { Caller } from "../http/endpoint.ts";
import { Lru } from "../lru.ts";
import { type SigningKeys, signingKeyEntity } from "../store/access/signing-key.ts";
import { tokenRevocationEntity } from "../store/access/token-revocation.ts";
import type { Bucket } from "../store/call-count.ts";
import { domainEntity } from "../store/domain.ts";
import type { SettingName } from "../store/setting.ts";
import { type StoredWorkspace, type Workspace, workspaceEntity, workspaceOf } from "../store/workspace.ts";
import { domainsAllowing } from "./origin.ts";
import { type Claims, isValid, readToken } from "./token.ts";

const cachedMs = 30_000;
const cachedMax = 1_000;
const ofEachUser = { perSecond: 10, burst: 50 };
const ofAllUsers = { perSecond: 200, burst: 400 };

type Headers = Readonly<Record<string, string | undefined>>;

const cache = new Lru<string, { record: Workspace; claims: Claims; until: number }>(cachedMax);

const bearer = /^Bearer +([^ ]+)$/i;

/** Whether a user calls. With the credentials of a server too, `authenticate` refuses the call. */
export const isCalling = (headers: Headers): boolean => hasUserToken(headers) && headers[authTokenHeader] === undefined;

/**
 * The caller whose token the header has. PERMISSION_DENIED if it is not valid (HTTP 401: another token can help), or if
 * the workspace does not allow the page's origin.
 */
export async function identify(headers: Headers, settings: readonly SettingName[]): Promise<Caller> {
  const [, token = ""] = bearer.exec(headers.authorization ?? "") ?? [];
  const { origin } = headers;
  const name = hash("sha256", JSON.stringify([token, origin]), "base64url");
  const known = cache.get(name);
  if (known && Date.now() < known.until) {
    requireKey(headers, known.claims);
    const wanted = settingKeys({ workspace: known.claims.aud }, settings);
    return callerOf(known, () => Table.getMany<object>(wanted));
  }
  const read = readToken(token);
  if (!read) throw refused();
  const { aud: workspace, sub: userId, exp, revokedAt = 0 } = read.claims;
  const domains = origin === undefined ? [] : domainsAllowing(origin);
  const [record, keys, revocation, ...rest] = await Table.getMany<object>([
    workspaceEntity.key({ workspace }),
    signingKeyEntity.key({ workspace }),
    tokenRevocationEntity.key({ workspace, userId }),
    ...domains.map((domain) => domainEntity.key({ workspace, domain })),
    ...settingKeys({ workspace }, settings),
  ]);
  const listed = keys ? listedAt(keys as SigningKeys, Date.now()) : [];
  if (!record || !isValid(read, listed, Date.now())) throw refused();
  if (revokedAt < ((revocation as { revokedAt?: number } | undefined)?.revokedAt ?? 0)) throw refused();
  const issuer = config.tokenIssuer();
  if (issuer !== undefined && read.claims.iss !== issuer) throw refused();
  requireKey(headers, read.claims);
  const isAllowed = origin === undefined || rest.slice(0, domains.length).some(Boolean);
  if (!isAllowed) throw notAllowed(origin);
  const checked = { record: workspaceOf(record as StoredWorkspace), claims: read.claims };
  cache.set(name, { ...checked, until: Math.min(Date.now() + cachedMs, exp * 1_000) });
  return callerOf(checked, async () => rest.slice(domains.length));

  function callerOf(found: { record: Workspace; claims: Claims }, stored: () => Promise<(object | undefined)[]>) {
    return newCaller({ record: found.record, ...userOf(found.claims) }, settings, stored);
  }
}

function userOf({ aud, sub: userId, jti, name, email, iat: issuedAt, organizations = [] }: Claims) {
  const generations = new Map(organizations.map(({ id, generation }) => [id, generation]));
  return {
    authTokenId: jti,
    rights: { scopes: [], expiresAt: undefined },
    user: { userId, name, email, issuedAt, generations },
    buckets: bucketsOf(aud, userId),
  };
}

const bucketsOf = (workspace: string, userId: string): Bucket[] => [
  { ref: { workspace, of: "USERS" }, limit: ofAllUsers, whose: "The users of the workspace make" },
  { ref: { workspace, of: hash("sha256", userId, "base64url") }, limit: ofEachUser, whose: "The user makes" },
];

function requireKey(headers: Headers, { aud }: Claims): void {
  const key = headers[apiKeyHeader];
  if (key !== undefined && key !== aud) {
    throw new ApiError("PERMISSION_DENIED", `The token is of another workspace than ${apiKeyHeader}.`);
  }
}

const refused = () =>
  new ApiError("PERMISSION_DENIED", "The user's token is not valid. Send a new one.", { http: { code: 401 } });

const notAllowed = (origin: string) =>
  new ApiError(
    "PERMISSION_DENIED",
    `Pages of ${origin.slice(0, 300)} may not call this workspace. A server adds the domain with domains/add.`,
  );
