// When each signing key signs and is listed (DECISIONS.md#rotation-of-signing-keys). Separate from the keys' creation,
// so that the endpoint of the public keys loads no SDK of KMS.
import type { KeyPair, SigningKeys } from "../store/access/signing-key.ts";

/** How long a user token is valid. */
export const tokenSeconds = 48 * 3_600;
/** How long verifiers may cache the public keys. */
export const keysCachedSeconds = 300;
/** How long a key is listed before it signs: twice the time for which verifiers cache the keys. */
const aheadMs = 2 * keysCachedSeconds * 1_000;
/** How long a key stays listed after it has signed for the last time: the life of a token, and a reserve for clocks. */
const afterMs = tokenSeconds * 1_000 + 10 * 60_000;

/** The key that signs at this time. */
export function signingAt({ next, ...key }: SigningKeys, now: number): KeyPair {
  return next && next.signsFrom <= now ? next : key;
}

/** The public keys that are listed at this time. */
export function listedAt(keys: SigningKeys, now: number): Record<string, string>[] {
  const { publicJwk, next, former = [] } = keys;
  const isListed = !next || now < next.signsFrom + afterMs;
  return [
    ...(isListed ? [publicJwk] : []),
    ...(next ? [next.publicJwk] : []),
    ...former.filter(({ listedUntil }) => now < listedUntil).map((each) => each.publicJwk),
  ];
}

/** The keys after a rotation. Undefined: the key of an earlier rotation does not sign yet. */
export function rotated(keys: SigningKeys, fresh: KeyPair, now: number): SigningKeys | undefined {
  const { next, former = [], ...first } = keys;
  if (next && next.signsFrom > now) return undefined;
  const ended = next ? [{ publicJwk: first.publicJwk, listedUntil: next.signsFrom + afterMs }] : [];
  const { kid, publicJwk, privateSealed } = next ?? first;
  return {
    kid,
    publicJwk,
    privateSealed,
    next: { ...fresh, signsFrom: now + aheadMs },
    former: [...ended, ...former].filter(({ listedUntil }) => now < listedUntil),
  };
}
