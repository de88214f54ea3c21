// Calls every endpoint with valid and invalid tokens of users (DECISIONS.md#calls-of-users). A valid token opens only the
// endpoints of user-doors.txt.
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import * as Setting from "../../lib/store/setting.ts";
import { type Credentials, call, must } from "../support/call.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { dataOf, named, posts } from "../support/contract/requests.ts";
import { storedOf } from "../support/refusal.ts";
import { asUsersSend } from "../support/users.ts";

describe("of all endpoints with credentials", () => {
  let as: Credentials;
  let tokens: Record<"own" | "expired" | "foreign" | "outsider", string>;

  beforeAll(async () => {
    as = await furnishedForUsers();
    const other = await furnishedForUsers();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 600_000 });
    const expired = await tokenIn(as, "alice", "acme", { expiresInSeconds: 300 });
    vi.useRealTimers();
    const [own, foreign] = [await tokenIn(as, "alice", "acme"), await tokenIn(other, "alice", "acme")];
    tokens = { own, expired, foreign, outsider: await tokenIn(as, "eve", "elsewhere") };
  });

  const refused: [string, () => Record<string, string>][] = [
    ["no credentials", () => ({})],
    ["a token that has expired", () => bearer(tokens.expired)],
    ["a token of another workspace", () => ({ ...bearer(tokens.foreign), "x-service-api-key": as.apiKey })],
    ["a token of a user of another organization", () => bearer(tokens.outsider)],
    ["a token and a server's credentials", () => ({ ...bearer(tokens.own), ...keysOf(as) })],
  ];

  it.each(refused)("%s: opens none, and changes nothing", async (_, headers) => {
    const before = await storedOf(as);
    for (const endpoint of posts) {
      const { body, error } = await callBy(endpoint, headers());
      // A user may always ask for the own access.
      const asksForOwn = endpoint.users === "self" && error === undefined;
      if (asksForOwn) expect(JSON.stringify(body), endpoint.name).not.toContain("accessRole");
      else expect([endpoint.name, error?.status]).toEqual([endpoint.name, denied]);
    }
    expect(await storedOf(as)).toEqual(before);
  });

  it("a user's token: opens none that is for servers, and changes nothing there", async () => {
    const before = await storedOf(as);
    for (const endpoint of posts.filter(({ users }) => !users)) {
      const { error } = await callBy(endpoint, bearer(tokens.own));
      expect([endpoint.name, error?.message]).toEqual([endpoint.name, expect.stringContaining("only servers")]);
    }
    expect(await storedOf(as)).toEqual(before);
  });

  it.each(posts.filter(({ users }) => users))("a user's token opens $name", async (endpoint) => {
    const own = await furnishedForUsers();
    const { error } = await callBy(endpoint, bearer(await tokenIn(own, "alice", "acme")));
    expect(error).toBeUndefined();
  });
});

const callBy = (endpoint: Endpoint, headers: Record<string, string>) =>
  call(endpoint, { data: asUsersSend(endpoint, dataOf(endpoint)), headers });

const denied = "PERMISSION_DENIED";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const keysOf = ({ apiKey, authToken }: Credentials) => ({
  "x-service-api-key": apiKey,
  "x-service-auth-token": authToken,
});

async function furnishedForUsers(): Promise<Credentials> {
  const as = await furnishedWorkspace();
  await Setting.update({ workspace: as.apiKey }, "switches", { browser: true });
  return as;
}

async function tokenIn(as: Credentials, userId: string, organizationId: string, more = {}): Promise<string> {
  const resources = [{ type: "organization", id: organizationId, accessRole: "editor" }];
  const userProperties = { name: userId, email: `${userId}@example.com` };
  const data = { userId, userProperties, permissions: { resources }, ...more };
  return (await must(named("token-generate"), { as, data })).token;
}
