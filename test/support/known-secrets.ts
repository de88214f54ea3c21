// The secrets that a test has used. No line of a log may contain one, and neither may a reply that is not for it.
import { expect } from "vitest";
import { Secret } from "../../lib/secret.ts";

const known = new Set<string>();
/** A shorter one of a test can be part of a word. */
const charactersMin = 8;

const { reveal } = Secret.prototype;
Secret.prototype.reveal = function () {
  return noteSecret(reveal.call(this));
};

/** The API key of a workspace is no secret, and a random request can put it in the place of one. */
const isPublic = (text: string) => text.startsWith("ws_");

export function noteSecret(text: string): string {
  if (text.length >= charactersMin && !isPublic(text)) known.add(text);
  return text;
}

export const forgetSecrets = (): void => known.clear();

export function expectNoSecrets(text: string): void {
  const shown = [...known].filter((secret) => text.includes(secret));
  if (shown.length > 0) expect(shown).toEqual([]);
}

const withSecrets = /^(?:webhook-secret-\w+|(?:email|permissionprovider)config-(?:get|update)|authtokens-create)$/;

/** Whether replies of this endpoint contain a secret (DECISIONS.md#secrets-at-rest). */
export const showsSecrets = (endpoint: string): boolean => withSecrets.test(endpoint);
