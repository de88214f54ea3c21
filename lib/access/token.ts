// User tokens (DECISIONS.md#user-tokens): ES256, signed by the workspace's current key.
import { type JWTPayload, SignJWT } from "jose";
import { algorithm } from "./key-pairs.ts";
import { tokenSeconds } from "./key-times.ts";
import { currentKey } from "./signing-keys.ts";

/** Common servers accept a header of this size. */
export const tokenBytesMax = 8_192;

export interface Claims extends JWTPayload {
  iss: string;
  sub: string;
  jti: string;
}

/** Returns a function that signs claims as a token, valid for 48 hours from then. */
export async function tokenSigner(workspace: string): Promise<(claims: Claims) => Promise<string>> {
  const { kid, privateKey } = await currentKey(workspace);
  return (claims) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, kid, typ: "JWT" })
      .setAudience(workspace)
      .setIssuedAt()
      .setExpirationTime(`${tokenSeconds}s`)
      .sign(privateKey);
}
