import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, it, vi } from "vitest";
import { smokeId } from "../../../infra/smoke/call.ts";
import { checks } from "../../../infra/smoke/checks.ts";

it("a user token must be one that the public keys verify", async () => {
  const [signing, other] = [await generateKeyPair("ES256"), await generateKeyPair("ES256")];
  const unsigned = new SignJWT().setProtectedHeader({ alg: "ES256" }).setAudience("key").setSubject(smokeId);
  const token = await unsigned.sign(signing.privateKey);
  const check = checks.find(({ name }) => name.startsWith("a user token is signed"));
  const run = async (key: CryptoKey) => {
    const keys = [await exportJWK(key)];
    vi.stubGlobal("fetch", async (url: string) =>
      Response.json(url.includes("jwks") ? { keys } : { result: { data: { token } } }),
    );
    return check?.run({ url: "https://api.example.com", apiKey: "key", authToken: "token" });
  };
  await run(signing.publicKey);
  await expect(run(other.publicKey)).rejects.toThrow("signature verification failed");
});
