// The links that end messages to a user without credentials (DECISIONS.md#unsubscribing). A link has a token that is
// encrypted with a key of its own, derived from the workspace's key. Anyone can send tokens. So the check of a token
// needs only one read, and no call to KMS.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { config } from "../config.ts";
import * as Organization from "../store/content/organization-life.ts";
import type { DocumentUid, WorkspaceRef } from "../store/refs.ts";
import * as Workspace from "../store/workspace.ts";

/** The e-mails that a link ends. */
export interface Subscription {
  organizationId: string;
  /** The life of the organization. The next organization of the same id has another one. */
  organizationUid: string;
  documentUid: DocumentUid;
  userId: string;
  generation: number;
  scope: "document" | "organization";
}

const path = "/v2/notifications/unsubscribe/";
const [ivBytes, tagBytes, keyBytes] = [12, 16, 32];
const yearMs = 365 * 24 * 3_600_000;
/** The longest token: four ids of 256 four-byte characters, each escaped as JSON, in base64url. */
export const tokenCharactersMax = 16_384;

/** Undefined while the service does not know its own address, or when the organization is gone. */
export async function unsubscribeLinks(
  { workspace }: WorkspaceRef,
  { organizationId, documentUid, userId, generation }: Omit<Subscription, "organizationUid" | "scope">,
): Promise<{ document: string; organization: string } | undefined> {
  const url = config.publicUrl();
  if (!url) return undefined;
  const [record, [organization]] = await Promise.all([
    Workspace.get({ workspace }),
    Organization.getStored({ workspace }, [organizationId]),
  ]);
  if (!record || !organization) return undefined;
  const about = { organizationId, documentUid, userId, generation };
  const subscription = { ...about, organizationUid: organization.organizationUid };
  const linkTo = (scope: Subscription["scope"]) => url + path + sealed(record, { ...subscription, scope });
  return { document: linkTo("document"), organization: linkTo("organization") };
}

interface Content extends Subscription {
  /** Ms since the epoch. */
  endsAt: number;
}

function sealed(workspace: Workspace.Workspace, subscription: Subscription): string {
  const iv = randomBytes(ivBytes);
  const content: Content = { ...subscription, endsAt: Date.now() + yearMs };
  const cipher = createCipheriv("aes-256-gcm", keyOf(workspace), iv, { authTagLength: tagBytes });
  const body = Buffer.concat([cipher.update(JSON.stringify(content), "utf8"), cipher.final()]);
  const token = Buffer.concat([iv, body, cipher.getAuthTag()]);
  return `${Buffer.from(workspace.apiKey).toString("base64url")}.${token.toString("base64url")}`;
}

/** Undefined for a token that no workspace has made. `isEnded`: it is more than a year old. */
export async function opened(
  token: string,
): Promise<(WorkspaceRef & { subscription: Subscription; isEnded: boolean }) | undefined> {
  const [name = "", body = ""] = token.split(".");
  const apiKey = Buffer.from(name, "base64url").toString("utf8");
  const workspace = apiKey ? await Workspace.get({ workspace: apiKey }) : undefined;
  const content = workspace && contentOf(workspace, Buffer.from(body, "base64url"));
  if (!content) return undefined;
  const { endsAt, ...subscription } = content;
  return { workspace: apiKey, subscription, isEnded: endsAt < Date.now() };
}

function contentOf(workspace: Workspace.Workspace, raw: Buffer): Content | undefined {
  if (raw.length <= ivBytes + tagBytes) return undefined;
  const iv = raw.subarray(0, ivBytes);
  const decipher = createDecipheriv("aes-256-gcm", keyOf(workspace), iv, { authTagLength: tagBytes });
  decipher.setAuthTag(raw.subarray(-tagBytes));
  try {
    return JSON.parse(decipher.update(raw.subarray(ivBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8"));
  } catch {
    return undefined;
  }
}

/** The key has its own purpose: a page token is no link, and a link is no page token. */
const keyOf = ({ apiKey, cursorSecret }: Workspace.Workspace) =>
  Buffer.from(hkdfSync("sha256", Buffer.from(cursorSecret.reveal(), "base64url"), apiKey, "unsubscribe", keyBytes));
