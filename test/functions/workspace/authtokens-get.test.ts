import { describe, expect, it } from "vitest";
import { authtokensGet, handler } from "../../../functions/workspace/authtokens-get.ts";
import * as AuthToken from "../../../lib/store/auth-token.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, must, newWorkspace } from "../../support/call.ts";
import { callSource, mocked } from "../../support/workspace.ts";

describe("OK", () => {
  it("lists the workspace's own tokens by name", async () => {
    await AuthToken.create((await newWorkspace()).apiKey, { name: "another workspace's" });
    const as = await newWorkspace();
    await AuthToken.create(as.apiKey, { name: "deploy" });
    const { authTokens } = await must(authtokensGet, { as });
    expect(authTokens.map(({ name }: { name: string }) => name).sort()).toEqual(["", "deploy"]);
    expect(new Set(authTokens.map(({ id }: { id: string }) => id)).size).toBe(2);
  });

  it("shows neither a token nor its hash, only enough to tell tokens apart", async () => {
    const as = await newWorkspace();
    const { body, data } = await call(authtokensGet, { as });
    const text = JSON.stringify(body);
    expect(text).not.toContain(as.authToken);
    expect(text).not.toContain(AuthToken.hashOf(as.authToken));
    const [{ authToken, id }] = data.authTokens;
    expect(authToken).toBe(`${as.authToken.slice(0, 7)}…`);
    expect(AuthToken.hashOf(as.authToken).startsWith(id)).toBe(true);
    // 43 characters of base64url stand for 256 bits: what is shown leaves 39 of them.
    expect(authToken.length - "at_…".length).toBe(4);
  });

  it("no longer lists a revoked token", async () => {
    const as = await newWorkspace();
    const { authToken } = await AuthToken.create(as.apiKey, { name: "old" });
    await AuthToken.revoke(as.apiKey, AuthToken.hashOf(authToken));
    const { authTokens } = await must(authtokensGet, { as });
    expect(authTokens).toHaveLength(1);
  });
});

describe("AWS calls", () => {
  it("makes one query after the credentials' read", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, authtokensGet, {});
    expect(aws.calls()).toEqual([expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+$/), "Query W#w"]);
    aws.restore();
  });
});
