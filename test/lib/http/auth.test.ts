import { BatchGetCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, describe, expect, it, vi } from "vitest";
import { authenticate, verifyRepeatedCredentials } from "../../../lib/http/auth.ts";
import { scopes } from "../../../lib/schema/scopes.ts";
import { authTokenEntity, hashOf } from "../../../lib/store/access/auth-token.ts";
import { settingEntity } from "../../../lib/store/setting.ts";
import { workspaceEntity } from "../../../lib/store/workspace.ts";
import { mockAws } from "../../support/aws/mock.ts";

let next = 0;

/** Mocks a table with a new workspace. Each test needs its own workspace, because all tests share the cache. */
function stored(settings: object = {}, token: object = {}) {
  const apiKey = `w${next++}`;
  const hash = hashOf("token");
  const items = [
    { ...workspaceEntity.key({ workspace: apiKey }), apiKey },
    { ...authTokenEntity.key({ workspace: apiKey, hash }), hash, scopes, ...token },
    { ...settingEntity.key({ workspace: apiKey, setting: "switches" }), ...settings },
  ];
  const headers = { "x-service-api-key": apiKey, "x-service-auth-token": "token" };
  return { aws: mockAws(items), items, apiKey, headers };
}

let aws: ReturnType<typeof mockAws>;
afterEach(() => {
  aws.restore();
  vi.useRealTimers();
});

describe("authenticate", () => {
  it("reads credentials and settings together, then the settings alone for 30 seconds", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { apiKey, headers, ...store } = stored({ advancedWebhooks: true });
    aws = store.aws;
    const call = async () => (await authenticate(headers, ["switches"])).setting("switches");
    expect(await call()).toMatchObject({ advancedWebhooks: true, notifications: true });
    expect(await call()).toMatchObject({ advancedWebhooks: true });
    vi.advanceTimersByTime(30_000);
    await call();
    const all = `BatchGet W#${apiKey} WORKSPACE, W#${apiKey} TOKEN#${hashOf("token")}, W#${apiKey} SETTING#switches`;
    expect(aws.calls()).toEqual([all, `Get W#${apiKey} SETTING#switches`, all]);
  });

  it("reads nothing for an endpoint without settings while the credentials are cached", async () => {
    const store = stored();
    aws = store.aws;
    await authenticate(store.headers, []);
    await authenticate(store.headers, []);
    expect(aws.calls()).toHaveLength(1);
  });

  it("refuses a missing header without a read", async () => {
    const store = stored();
    aws = store.aws;
    await expect(authenticate({ "x-service-api-key": store.apiKey }, [])).rejects.toThrow("x-service-auth-token");
    expect(aws.calls()).toEqual([]);
  });
});

it("verifyRepeatedCredentials reads the token again after 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { apiKey, headers, ...store } = stored();
  aws = store.aws;
  const repeated = { apiKey, authToken: "token" };
  await authenticate(headers, []);
  await verifyRepeatedCredentials({ workspace: apiKey }, repeated, "write");
  expect(aws.calls()).toHaveLength(1);
  vi.advanceTimersByTime(30_000);
  aws.restore();
  aws = mockAws();
  await expect(verifyRepeatedCredentials({ workspace: apiKey }, repeated, "write")).rejects.toThrow("data.authToken");
});

describe("a token that expires", () => {
  const startMs = Date.UTC(2030, 0, 1);
  const expiresAt = startMs / 1_000 + 10;

  it("works until its end, although its container has cached it for 30 seconds", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: startMs });
    const { apiKey, headers, ...store } = stored({}, { expiresAt });
    aws = store.aws;
    const repeated = { apiKey, authToken: "token" };
    expect(await authenticate(headers, [])).toMatchObject({ rights: { expiresAt } });
    vi.setSystemTime(expiresAt * 1_000 - 1);
    await authenticate(headers, []);
    await verifyRepeatedCredentials({ workspace: apiKey }, repeated, "write");
    expect(aws.calls()).toHaveLength(1);
    vi.setSystemTime(expiresAt * 1_000);
    await expect(authenticate(headers, [])).rejects.toThrow("x-service-auth-token");
    await expect(verifyRepeatedCredentials({ workspace: apiKey }, repeated, "write")).rejects.toThrow("data.authToken");
  });

  it("is refused although the store has not deleted it", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: startMs });
    const store = stored({}, { expiresAt: startMs / 1_000 });
    aws = store.aws;
    await expect(authenticate(store.headers, [])).rejects.toThrow("x-service-auth-token");
  });
});

describe("a failing store", () => {
  it("fails the call with its error, which is not cached", async () => {
    const store = stored();
    aws = store.aws;
    aws.dynamo.on(BatchGetCommand).rejectsOnce(new Error("down"));
    await expect(authenticate(store.headers, [])).rejects.toThrow("down");
    aws.restore();
    aws = mockAws(store.items);
    expect(await authenticate(store.headers, [])).toMatchObject({ workspace: store.apiKey });
  });

  it("fails a call only when the call reads a setting", async () => {
    const store = stored();
    aws = store.aws;
    await authenticate(store.headers, []);
    aws.dynamo.on(GetCommand).rejects(new Error("down"));
    const caller = await authenticate(store.headers, ["switches"]);
    await expect(caller.setting("switches")).rejects.toThrow("down");
  });
});

it("authenticate caches at most 1,000 credentials", async () => {
  const store = stored();
  aws = store.aws;
  await authenticate(store.headers, []);
  const others = new Array(1_000).fill(0).map((_, index) => ({ apiKey: `many${index}`, hash: hashOf("token") }));
  aws.restore();
  aws = mockAws([
    ...others.flatMap(({ apiKey, hash }) => [
      { ...workspaceEntity.key({ workspace: apiKey }), apiKey },
      { ...authTokenEntity.key({ workspace: apiKey, hash }), hash, scopes },
    ]),
  ]);
  for (const { apiKey } of others) await authenticate({ ...store.headers, "x-service-api-key": apiKey }, []);
  await expect(authenticate(store.headers, [])).rejects.toThrow("x-service-api-key");
});
