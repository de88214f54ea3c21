// Pages of a list: the start of a page, and the token of the next page.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { invalidField } from "../errors.ts";
import { pageSizeDefault } from "../schema/paging.ts";
import type { Workspace } from "../store/workspace.ts";
import type { Caller } from "./endpoint.ts";

/**
 * `listed` holds the name of the list and every parameter that selects its items. Refuses a token of another query.
 * `named`: the ids that the request names, without repetitions, if it does.
 */
export function listing(
  { record, user }: Caller,
  listed: readonly string[],
  { pageSize, pageToken }: { pageSize?: number | undefined; pageToken?: string | undefined },
  named?: readonly string[],
) {
  // Also bound to the user: what one user may list, another may not.
  const query = user ? [...listed, user.userId] : listed;
  return {
    size: pageSize ?? named?.length ?? pageSizeDefault,
    /** The position to continue after; undefined for the first page. */
    from: openCursor<{ after: string }>(record, query, pageToken)?.after,
    /** Null at the end of the list, and only there. */
    tokenFor: (next: string | undefined) => (next === undefined ? null : sealCursor(record, query, { after: next })),
  };
}

const ivBytes = 12;
const tagBytes = 16;

/** `query` holds the name of the list and every parameter that selects its items. */
export function sealCursor(workspace: Workspace, query: readonly string[], position: object): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", keyOf(workspace), iv).setAAD(context(workspace, query));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(position), "utf8"), cipher.final()]);
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString("base64url");
}

/** The position in a page token; undefined without a token, or with an empty one. INVALID_ARGUMENT for a token of another query. */
export function openCursor<Position>(
  workspace: Workspace,
  query: readonly string[],
  token: string | undefined,
): Position | undefined {
  if (!token) return undefined;
  const raw = Buffer.from(token, "base64url");
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyOf(workspace), raw.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(context(workspace, query)).setAuthTag(raw.subarray(-tagBytes));
    const opened = decipher.update(raw.subarray(ivBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8");
    return JSON.parse(opened) as Position;
  } catch {
    throw invalidField(["pageToken"], "Was not issued for this request. Begin without it.");
  }
}

const keyOf = (workspace: Workspace) => Buffer.from(workspace.cursorSecret.reveal(), "base64url");

const context = (workspace: Workspace, query: readonly string[]) =>
  Buffer.from(JSON.stringify([workspace.apiKey, ...query]));
