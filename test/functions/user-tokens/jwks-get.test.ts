import { createPublicKey } from "node:crypto";
import jwt from "jsonwebtoken";
import { describe, expect, it } from "vitest";
import { handler, jwksGet } from "../../../functions/user-tokens/jwks-get.ts";
import { tokenGenerate } from "../../../functions/user-tokens/token-generate.ts";
import { createWorkspace } from "../../../lib/workspace/workspaces.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, contextOf, eventOf, must, newWorkspace } from "../../support/call.ts";

const keysOf = async (apiKey: string) => (await call(jwksGet, { pathParameters: { apiKey } })).body.keys;

describe("OK", () => {
  it("returns the key with which another library verifies the workspace's tokens", async () => {
    const alice = await newWorkspace();
    const userProperties = { name: "Ada", email: "ada@example.com" };
    const { token } = await must(tokenGenerate, {
      as: alice,
      data: { userId: "u", userProperties, permissions: { resources: [] } },
    });
    const [key] = await keysOf(alice.apiKey);
    const publicKey = createPublicKey({ key, format: "jwk" });
    const claims = jwt.verify(token, publicKey, { algorithms: ["ES256"], audience: alice.apiKey });
    expect(claims).toMatchObject({ sub: "u", ...userProperties });
    expect(key).not.toHaveProperty("d");
  });

  it("returns the key of a new workspace, and lets anyone cache the keys for five minutes", async () => {
    const { apiKey } = await createWorkspace({ name: "new" });
    const { body, headers } = await call(jwksGet, { pathParameters: { apiKey } });
    expect(body.keys).toHaveLength(1);
    expect(headers["cache-control"]).toBe("public, max-age=300");
  });

  it("returns no key for an unknown workspace", async () => {
    expect(await keysOf("nobody")).toEqual([]);
  });
});

it("makes one read", async () => {
  const aws = mockAws();
  await handler(eventOf(jwksGet, { pathParameters: { apiKey: "w" } }) as never, contextOf("jwks-get") as never);
  expect(aws.calls()).toEqual(["Get W#w SIGNINGKEY"]);
  aws.restore();
});
