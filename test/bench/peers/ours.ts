// The work of the peers as an endpoint of this project: the same read, validation and signature.
import { type CryptoKey, importJWK, SignJWT } from "jose";
import * as z from "zod/mini";
import { endpoint, readLambda } from "../../../lib/http/lambda.ts";
import { Id, Text } from "../../../lib/schema/primitives.ts";

let key: CryptoKey | undefined;

const bench = endpoint({
  name: "bench",
  path: "/bench",
  summary: "",
  grants: ["table:read"],
  data: z.object({ userId: Id, name: Text, email: Text }),
  reply: z.object({ token: z.string() }),
  message: "Token generated.",

  async handle({ data: { userId, ...claims } }) {
    key ??= (await importJWK(JSON.parse(process.env.BENCH_KEY ?? ""), "ES256")) as CryptoKey;
    const jwt = new SignJWT(claims).setProtectedHeader({ alg: "ES256", typ: "JWT" }).setSubject(userId);
    return { token: await jwt.setIssuedAt().setExpirationTime("48h").sign(key) };
  },
});
export const handler = readLambda(bench);
