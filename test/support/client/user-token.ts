// What the tests of the client for pages share.

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A user token as its client sees it: nobody has signed it. */
export const userToken = (sub: string, claims: object = {}) =>
  `${part({ alg: "ES256" })}.${part({ sub, aud: "ws1", iat: 1_000, exp: 2_000, ...claims })}.c2ln`;
