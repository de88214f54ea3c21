// An endpoint's sealed secrets. The current one is first. Up to four earlier ones sign for 24 hours after their
// rotation.
import { randomBytes } from "node:crypto";
import type { Secret } from "../secret.ts";
import { purposes, seal, unseal } from "../secrets.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { WebhookEndpoint } from "../store/webhooks/webhook-endpoint.ts";

type Sealed = WebhookEndpoint["secrets"];

const secretBytes = 24;
const overlapMs = 24 * 3_600_000;
/** Secrets that can be valid at the same time. Each adds a signature to the header of every delivery. */
const keptMax = 5;

const contextOf = ({ workspace }: WorkspaceRef) => ({ workspace, purpose: purposes.webhookSecret });

export function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`;
}

export async function sealedSecret(ref: WorkspaceRef, secret: string): Promise<{ sealed: string }> {
  return { sealed: await seal(secret, contextOf(ref)) };
}

/** The secrets after a rotation. Undefined: too many secrets are still valid, and none may end early. */
export function rotated([current, ...earlier]: Sealed, next: { sealed: string }, now: number): Sealed | undefined {
  const replaced = current ? [{ ...current, until: now + overlapMs }] : [];
  const secrets = [next, ...replaced, ...earlier.filter(({ until = 0 }) => until > now)];
  return secrets.length > keptMax ? undefined : secrets;
}

/** When the first of the valid former secrets ends, in ms since the epoch. Without a former secret: infinity. */
export const firstEnd = (secrets: Sealed, now: number): number =>
  Math.min(...secrets.flatMap(({ until }) => (until !== undefined && until > now ? [until] : [])));

export async function currentSecret(ref: WorkspaceRef, { secrets }: WebhookEndpoint): Promise<string> {
  const [current] = secrets;
  if (!current) throw new Error("The endpoint has no secret.");
  return (await unseal(current.sealed, contextOf(ref))).reveal();
}

/** The secrets that sign now, the current one first. */
export async function signingSecrets(ref: WorkspaceRef, { secrets }: WebhookEndpoint, now: number): Promise<Secret[]> {
  const valid = secrets.filter(({ until = Number.POSITIVE_INFINITY }) => until > now);
  return Promise.all(valid.map(({ sealed }) => unseal(sealed, contextOf(ref))));
}
