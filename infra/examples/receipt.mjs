// Verifies the receipt of an erasure without the service (lib/DECISIONS.md#receipts-of-erasures).
import { createPublicKey, hash, verify } from "node:crypto";

// `keys`: the list in the field `keys` of /.well-known/jwks/{apiKey}/records. Returns what a genuine receipt says.
export function readReceipt(receipt, keys) {
  const [head, body, signature, ...more] = receipt.split(".");
  const { kid, alg, typ } = JSON.parse(Buffer.from(head, "base64url"));
  const jwk = keys.find((each) => each.kid === kid);
  if (!jwk || alg !== "ES256" || typ !== "erasure-receipt") throw new Error("The receipt is not of this workspace.");
  const key = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" };
  const bytes = Buffer.from(signature, "base64url");
  const isGenuine = verify("sha256", Buffer.from(`${head}.${body}`), key, bytes);
  if (!isGenuine || bytes.toString("base64url") !== signature || more.length > 0)
    throw new Error("The receipt was changed.");
  return JSON.parse(Buffer.from(body, "base64url"));
}

export const isAbout = ({ salt, users }, userId) => users.includes(hash("sha256", `${salt}\n${userId}`, "hex"));
