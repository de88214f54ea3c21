import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, it, vi } from "vitest";
import { call, smokeId } from "../../../infra/smoke/call.ts";
import { checks } from "../../../infra/smoke/checks.ts";
import { smoke } from "../../../infra/smoke/program.ts";
import type { Target } from "../../../infra/smoke/request.ts";

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

it("a reply of another server controls no terminal", async () => {
  vi.stubEnv("SMOKE_API_KEY", "key");
  vi.stubEnv("SMOKE_AUTH_TOKEN", "token");
  vi.stubGlobal("fetch", async () => Response.json({ message: "no\u001b[2J\u202e" }, { status: 403 }));
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const io = { stdin: process.stdin, print, printError: print };
  const run = async (target: Target) => void (await call(target, "users-get", {}));
  expect(await smoke(["--url", "https://api.example.com"], io, [{ name: "users", run }])).toBe(1);
  expect(printed[0]).toBe("FAILED  users\n  /v2/users/get: HTTP 403, no\\u{1b}[2J\\u{202e}\n");
});
