// Tokens that the service did not make, or not for this use. Each differs in one thing from one that is valid.
import { createHmac, generateKeyPairSync, type KeyObject } from "node:crypto";
import { beforeAll, expect, it, vi } from "vitest";
import { presenceGet } from "../../../../functions/presence/presence-get.ts";
import { signRecord } from "../../../../lib/access/signing-keys.ts";
import { recordsKeys, tokenKeys } from "../../../../lib/store/access/signing-key.ts";
import type { Credentials } from "../../../support/call.ts";
import { encoded, type Parts, partsOf, privateKeyOf, publicJwkOf, signed } from "../../../support/forged.ts";
import { expectRefused } from "../../../support/refusal.ts";
import { callAs, newWorkspaceForUsers, tokenOf } from "../../../support/users.ts";
import { organizationId } from "../../../support/workspace.ts";

interface Known extends Parts {
  as: Credentials;
  key: KeyObject;
  /** A key of the attacker. */
  own: KeyObject;
  token: string;
  signature: string;
  /** Another workspace of the deployment, and its key. */
  other: { as: Credentials; key: KeyObject; header: Parts["header"] };
}

let known: Known;
beforeAll(async () => {
  const [as, another] = [await newWorkspaceForUsers(), await newWorkspaceForUsers()];
  const token = await tokenOf(as, "ann");
  const otherToken = await tokenOf(another, "ann");
  known = {
    ...partsOf(token),
    as,
    key: await privateKeyOf(tokenKeys(as.apiKey)),
    own: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey,
    token,
    signature: token.split(".")[2] as string,
    other: { as: another, key: await privateKeyOf(tokenKeys(another.apiKey)), header: partsOf(otherToken).header },
  };
});

const get = (token: string) => callAs(token, presenceGet, { organizationId, documentId: "d" });
const now = () => Math.floor(Date.now() / 1_000);

it("is valid if only the service's key has signed it", async () => {
  const { header, claims, key } = known;
  expect((await get(signed(header, claims, key))).status).toBe(200);
});

type Forge = (known: Known) => string | Promise<string>;
const withHeader =
  (edit: (header: Parts["header"], known: Known) => object): Forge =>
  (all) =>
    signed({ ...all.header, ...edit(all.header, all) }, all.claims, all.own);
/** Signed by the service's own key. */
const withClaims =
  (edit: (known: Known) => object): Forge =>
  (all) =>
    signed(all.header, { ...all.claims, ...edit(all) }, all.key);
/** The claims as text, in which `exp` has this text as its value. */
const withTime =
  (name: "exp" | "iat", text: string): Forge =>
  ({ header, claims, key }) =>
    signed(header, JSON.stringify({ ...claims, [name]: "?" }).replace('"?"', text), key);

const forgeries: Record<string, Forge> = {
  "no token": () => "",
  "alg none, without a signature": ({ claims }) => `${encoded({ alg: "none", typ: "JWT" })}.${encoded(claims)}.`,
  "alg none, with the signature of a valid token": ({ header, claims, signature }) =>
    `${encoded({ ...header, alg: "none" })}.${encoded(claims)}.${signature}`,
  "HS256 with the public key as its secret": ({ header, claims, key }) => {
    const text = `${encoded({ ...header, alg: "HS256" })}.${encoded(claims)}`;
    const secret = JSON.stringify(publicJwkOf(key));
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  },
  "HS256 with a signature of the length of ES256": ({ header, claims, key }) => {
    const text = `${encoded({ ...header, alg: "HS256" })}.${encoded(claims)}`;
    return `${text}.${createHmac("sha512", JSON.stringify(publicJwkOf(key)))
      .update(text)
      .digest("base64url")}`;
  },
  "another algorithm of the key's own signature": ({ header, claims, key }) =>
    signed({ ...header, alg: "ES384" }, claims, key),
  "another key under the kid of the workspace": ({ header, claims, own }) => signed(header, claims, own),
  "an own jwk in the header": withHeader((_, { own }) => ({ jwk: publicJwkOf(own) })),
  "an own jwk in the header, with the workspace's signature": ({ header, claims, key, own }) =>
    signed({ ...header, jwk: publicJwkOf(own) }, claims, key),
  "a jku": withHeader(() => ({ jku: "https://evil.example/keys" })),
  "an x5u": withHeader(() => ({ x5u: "https://evil.example/certificate" })),
  "a jku, with the workspace's signature": ({ header, claims, key }) =>
    signed({ ...header, jku: "https://evil.example/keys" }, claims, key),
  "a critical extension": ({ header, claims, key }) => signed({ ...header, crit: ["b64"], b64: false }, claims, key),
  "the kid of another workspace": ({ header, claims, other }) =>
    signed({ ...header, kid: other.header.kid }, claims, other.key),
  "another workspace's token with this workspace as its audience": ({ claims, as, other }) =>
    signed(other.header, { ...claims, aud: as.apiKey }, other.key),
  "this workspace's token with another workspace as its audience": ({ header, claims, key, other }) =>
    signed(header, { ...claims, aud: other.as.apiKey }, key),
  "a workspace that does not exist": withClaims(() => ({ aud: "ws_missing" })),
  "several audiences": withClaims(({ claims, other }) => ({ aud: [claims.aud, other.as.apiKey] })),
  "an edited audience under the old signature": ({ header, claims, other, signature }) =>
    `${encoded(header)}.${encoded({ ...claims, aud: other.as.apiKey })}.${signature}`,
  "an edited user under the old signature": ({ header, claims, signature }) =>
    `${encoded(header)}.${encoded({ ...claims, sub: "bob" })}.${signature}`,
  "a kid that is no text": ({ header, claims, key }) => signed({ ...header, kid: [header.kid] }, claims, key),
  "no kid": ({ header: { kid: _, ...header }, claims, key }) => signed(header, claims, key),
  "a record": ({ as, claims }) => signRecord(as.apiKey, "JWT", claims),
  "the typ of a record": ({ header, claims, key }) => signed({ ...header, typ: "receipt+jwt" }, claims, key),
  "no typ": ({ header: { typ: _, ...header }, claims, key }) => signed(header, claims, key),
  "the records' key under the kid of the tokens' key": async ({ as, header, claims }) => {
    await signRecord(as.apiKey, "JWT", {});
    return signed(header, claims, await privateKeyOf(recordsKeys(as.apiKey)));
  },
  "a second ago its end": withClaims(() => ({ exp: now() - 1 })),
  "now its end": withClaims(() => ({ exp: now() })),
  "made in the future": withClaims(() => ({ iat: now() + 60 })),
  "valid from a later time on": withClaims(() => ({ nbf: now() + 60 })),
  "no end": ({ header, claims: { exp: _, ...claims }, key }) => signed(header, claims, key),
  "no beginning": ({ header, claims: { iat: _, ...claims }, key }) => signed(header, claims, key),
  "an end as a text": withClaims(() => ({ exp: String(now() + 60) })),
  "a beginning as a text": withClaims(() => ({ iat: String(now()) })),
  "no end, as null": withClaims(() => ({ exp: null })),
  "an end that is no JSON": withTime("exp", "NaN"),
  "an endless time": withTime("exp", "1e400"),
  "a beginning before all time": withTime("iat", "-1e400"),
  "no user": ({ header, claims: { sub: _, ...claims }, key }) => signed(header, claims, key),
  "an empty user": withClaims(() => ({ sub: "" })),
  "a user that is no text": withClaims(() => ({ sub: { userId: "ann" } })),
  "organizations that are no list": withClaims(() => ({ organizations: { o: 99 } })),
  "claims that are a list": ({ header, claims, key }) => signed(header, [claims], key),
  "claims that are no JSON": ({ header, key }) => signed(header, "{", key),
  "claims twice": ({ header, claims, key }) => signed(header, `${JSON.stringify(claims)}{}`, key),
  "two parts": ({ token }) => token.slice(0, token.lastIndexOf(".")),
  "four parts": ({ token }) => `${token}.${encoded("x")}`,
  "five parts, as an encrypted token": ({ token }) => `${token}.a.b`,
  "an empty signature": ({ header, claims }) => `${encoded(header)}.${encoded(claims)}.`,
  "a signature in the form of DER": ({ token }) => `${token.slice(0, token.lastIndexOf("."))}.${"MEUCIQ".repeat(16)}`,
  "a signature of zeros": ({ header, claims }) => `${encoded(header)}.${encoded(claims)}.${"A".repeat(86)}`,
  "more than 8 KB": withClaims(() => ({ name: "n".repeat(8_000) })),
  "padded base64": ({ token }) => `${token}=`,
  "base64 with the other alphabet": ({ token }) => token.replaceAll("-", "+").replaceAll("_", "/").replace(/.$/, "+"),
  "another spelling of the same signature": ({ token }) => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1) as string) + 1];
  },
  "a line break in the signature": ({ token }) => `${token}\n`,
};

it.each(Object.entries(forgeries))("is refused with %s", async (_, forge) => {
  const reply = await get(await forge(known));
  expectRefused(reply, "PERMISSION_DENIED", "The user's token is not valid. Send a new one.", 401);
  // A client cannot tell from the reply what is wrong with the token.
  expect(reply.body).toEqual((await get("x")).body);
});

it("is refused with another issuer than that of the deployment", async () => {
  vi.stubEnv("TOKEN_ISSUER", "https://api.example.com");
  const { header, claims, key } = known;
  expectRefused(
    await get(signed(header, { ...claims, iss: "https://evil.example" }, key)),
    "PERMISSION_DENIED",
    /./,
    401,
  );
  expect((await get(signed(header, { ...claims, iss: "https://api.example.com" }, key))).status).toBe(200);
});
