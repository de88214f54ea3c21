// An endpoint's sealed secrets. The current one comes first; each earlier one signs for a day after its rotation.
import { randomBytes } from "node:crypto";
import { purposes, seal, unseal } from "../secrets.ts";
import type { WebhookEndpoint } from "../store/webhook-endpoint.ts";

type Sealed = WebhookEndpoint["secrets"];

const secretBytes = 24;
const overlapMs = 24 * 3_600_000;
/** Secrets that can be valid at once: each lengthens the header of every delivery. */
const keptMax = 5;

const contextOf = (workspace: string) => ({ workspace, purpose: purposes.webhookSecret });

export function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString("base64")}`;
}

export async function sealedSecret(workspace: string, secret: string): Promise<{ sealed: string }> {
  return { sealed: await seal(secret, contextOf(workspace)) };
}

/** The secrets after a rotation. */
export function rotated([current, ...earlier]: Sealed, next: { sealed: string }, now: number): Sealed {
  const replaced = current ? [{ ...current, until: now + overlapMs }] : [];
  return [next, ...replaced, ...earlier.filter(({ until = 0 }) => until > now)].slice(0, keptMax);
}

export async function currentSecret(workspace: string, { secrets }: WebhookEndpoint): Promise<string> {
  const [current] = secrets;
  if (!current) throw new Error("The endpoint has no secret.");
  return unseal(current.sealed, contextOf(workspace));
}

/** The secrets that sign now, the current one first. */
export async function signingSecrets(workspace: string, { secrets }: WebhookEndpoint, now: number): Promise<string[]> {
  const valid = secrets.filter(({ until = Number.POSITIVE_INFINITY }) => until > now);
  return Promise.all(valid.map(({ sealed }) => unseal(sealed, contextOf(workspace))));
}
