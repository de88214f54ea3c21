// User tokens that no server made. They have the parts of a real one, of which a test changes some.
import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { unseal } from "../../lib/secrets.ts";
import * as SigningKey from "../../lib/store/access/signing-key.ts";

type Fields = Record<string, unknown>;

export interface Parts {
  header: Fields;
  claims: Fields;
}

export const encoded = (part: object | string) =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");

export function partsOf(token: string): Parts {
  const [header, claims] = token.split(".").map((part) => Buffer.from(part, "base64url").toString("utf8"));
  return { header: JSON.parse(header as string), claims: JSON.parse(claims as string) };
}

/** The token with these parts, each of which can be a text, signed with the key. */
export function signed(header: object | string, claims: object | string, key: KeyObject): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

/** The workspace's own key, which only the service has. */
export async function privateKeyOf(ref: SigningKey.KeysRef): Promise<KeyObject> {
  const { privateSealed } = (await SigningKey.get(ref)) as SigningKey.KeyPair;
  return createPrivateKey({ key: JSON.parse((await unseal(privateSealed, ref)).reveal()), format: "jwk" });
}

export const publicJwkOf = (key: KeyObject) => createPublicKey(key).export({ format: "jwk" });
