import { describe, expect, it } from "vitest";
import { authtokensGet, handler } from "../../../functions/auth-tokens/authtokens-get.ts";
import * as AuthToken from "../../../lib/store/access/auth-token.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, must, newWorkspace } from "../../support/call.ts";
import { callSource, mocked } from "../../support/workspace.ts";

describe("OK", () => {
  it("lists only the workspace's tokens, with their names", async () => {
    await AuthToken.create({ workspace: (await newWorkspace()).apiKey }, { name: "another workspace's" });
    const as = await newWorkspace();
    await AuthToken.create({ workspace: as.apiKey }, { name: "deploy" });
    const { authTokens } = await must(authtokensGet, { as });
    expect(authTokens.map(({ name }: { name: string }) => name).sort()).toEqual(["", "deploy"]);
    expect(new Set(authTokens.map(({ id }: { id: string }) => id)).size).toBe(2);
  });

  it("returns neither a token nor its hash, only a prefix", async () => {
    const as = await newWorkspace();
    const { body, data } = await call(authtokensGet, { as });
    const text = JSON.stringify(body);
    expect(text).not.toContain(as.authToken);
    expect(text).not.toContain(AuthToken.hashOf(as.authToken));
    const [{ authToken, id }] = data.authTokens;
    expect(authToken).toBe(`${as.authToken.slice(0, 7)}…`);
    expect(AuthToken.hashOf(as.authToken).startsWith(id)).toBe(true);
    // 256 bits are 43 characters of base64url: the prefix leaves 39 unknown.
    expect(authToken.length - "at_…".length).toBe(4);
  });

  it("does not list a revoked token", async () => {
    const as = await newWorkspace();
    const { authToken } = await AuthToken.create({ workspace: as.apiKey }, { name: "old" });
    await AuthToken.revoke({ workspace: as.apiKey }, AuthToken.hashOf(authToken));
    const { authTokens } = await must(authtokensGet, { as });
    expect(authTokens).toHaveLength(1);
  });
});

describe("AWS calls", () => {
  it("makes one query after the read of the credentials", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, authtokensGet, {});
    expect(aws.calls()).toEqual([expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+$/), "Query W#w"]);
    aws.restore();
  });
});
