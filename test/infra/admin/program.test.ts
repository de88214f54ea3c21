import { Readable } from "node:stream";
import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { authtokensGet } from "../../../functions/auth-tokens/authtokens-get.ts";
import { foldersAdd } from "../../../functions/folders/folders-add.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { callLimitOf } from "../../../lib/http/call-rate.ts";
import { aiVendors, switchNames } from "../../../lib/schema/setting-names.ts";
import { format, formatEntity } from "../../../lib/store/format.ts";
import * as Setting from "../../../lib/store/setting.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { cloudFormation, errorLine, mockStack, onStack, run, stackHas } from "../../support/admin.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, newWorkspace } from "../../support/call.ts";
import { mocked } from "../../support/workspace.ts";

mockStack();
afterEach(() => void vi.useRealTimers());

describe("workspace", () => {
  it("is created with valid credentials", async () => {
    const made = await onStack(["workspace", "create"]);
    expect(Object.keys(made)).toEqual(["apiKey", "authToken"]);
    expect((await call(authtokensGet, { as: made })).status).toBe(200);
  });

  it("has its cell in its API key when the stack is a cell, and is used like any other", async () => {
    const { apiKey: former } = await onStack(["workspace", "create"]);
    stackHas({ TableName: process.env.TABLE_NAME ?? "", KeyId: process.env.KMS_KEY_ID ?? "", Cell: "eu1" });
    const made = await onStack(["workspace", "create"]);
    expect(made.apiKey).toMatch(/^ws_eu1_[\w-]{24}$/);
    expect(former).toMatch(/^ws_[\w-]{24}$/);
    expect((await call(authtokensGet, { as: made })).status).toBe(200);
    const as = { apiKey: former, ...(await onStack(["token", "create", "--workspace", former])) };
    expect((await call(authtokensGet, { as })).status).toBe(200);
  });

  it("is printed with its settings, without its secrets", async () => {
    const { apiKey, authToken } = await onStack(["workspace", "create", "--name", "Ada 🎉"]);
    expect(await onStack(["workspace", "show", "--workspace", apiKey])).toEqual({
      apiKey,
      name: "Ada 🎉",
      createdAt: expect.any(String),
      defaultAccessType: "organizationPrivate",
      switches: { advancedQueries: true, notifications: true, advancedWebhooks: false, browser: false, live: false },
      aiKeys: { openai: false, anthropic: false, gemini: false },
    });
    const { cursorSecret } = (await Workspace.get({ workspace: apiKey })) ?? {};
    for (const args of [
      ["workspace", "list"],
      ["workspace", "show", "--workspace", apiKey],
    ]) {
      const { stdout } = await run([...args, "--stack", "s"]);
      expect(stdout).toContain(apiKey);
      expect(stdout).not.toContain(cursorSecret?.reveal());
      expect(stdout).not.toContain(authToken);
    }
  });
});

describe("token", () => {
  it("is listed without characters that control a terminal or reorder a line, in a table and as JSON", async () => {
    const { apiKey } = await newWorkspace();
    const name = "ci\u202egnp.exe\u{e0041}\u3164";
    await onStack(["token", "create", "--name", name, "--workspace", apiKey]);
    for (const more of [[], ["--json"]]) {
      const { stdout } = await run(["token", "list", "--workspace", apiKey, "--stack", "s", ...more]);
      expect(stdout).toContain("gnp.exe");
      expect(stdout).not.toMatch(/[\u202e\u3164\u{e0041}]/u);
    }
    expect(await onStack(["token", "list", "--workspace", apiKey])).toContainEqual(expect.objectContaining({ name }));
  });

  it("works, and is refused 30 seconds after it is revoked", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { apiKey } = await newWorkspace();
    const { authToken } = await onStack(["token", "create", "--name", "ci", "--workspace", apiKey]);
    const as = { apiKey, authToken };
    expect((await call(authtokensGet, { as })).status).toBe(200);
    const listed = await onStack(["token", "list", "--workspace", apiKey]);
    expect(listed).toEqual((await call(authtokensGet, { as })).data.authTokens);
    expect(JSON.stringify(listed)).not.toContain(authToken);
    const { id } = listed.find(({ name }: { name: string }) => name === "ci");
    expect(await onStack(["token", "revoke", id, "--workspace", apiKey])).toEqual({
      id,
      revoked: true,
      leavesAdmin: true,
    });
    vi.setSystemTime(Date.now() + 30_001);
    expect((await call(authtokensGet, { as })).error?.status).toBe("PERMISSION_DENIED");
  });

  it("gets the scopes and the end that the options name", async () => {
    const { apiKey } = await newWorkspace();
    const of = ["--workspace", apiKey];
    const made = await onStack(["token", "create", "--scopes", "write,read", "--expires-at", "2000000000", ...of]);
    expect(made).toEqual({
      authToken: expect.stringMatching(/^at_/),
      id: expect.any(String),
      scopes: ["read", "write"],
    });
    expect(await onStack(["token", "list", ...of])).toContainEqual(
      expect.objectContaining({ id: made.id, scopes: ["read", "write"], expiresAt: 2_000_000_000, createdBy: null }),
    );
    expect((await call(authtokensGet, { as: { apiKey, ...made } })).error?.message).toContain("scope admin");
    for (const wrong of [
      ["--scopes", "read,owner"],
      ["--scopes", ""],
      ["--expires-at", "soon"],
    ]) {
      expect((await run(["token", "create", ...wrong, ...of, "--stack", "s"])).stderr).toMatch(/Must be/);
    }
  });

  it("can be the last one that is revoked, with a warning", async () => {
    const { apiKey } = await newWorkspace();
    const [{ id }] = await onStack(["token", "list", "--workspace", apiKey]);
    const { stdout } = await run(["token", "revoke", id, "--workspace", apiKey, "--stack", "s"]);
    expect(stdout).toContain("No other token with the scope admin lasts as long.");
    expect(await onStack(["token", "list", "--workspace", apiKey])).toEqual([]);
  });

  it("cannot be revoked from another workspace or by its plaintext, which is not printed", async () => {
    const [alice, bob] = [await newWorkspace(), await newWorkspace()];
    const [{ id }] = await onStack(["token", "list", "--workspace", alice.apiKey]);
    const revoke = (tokenId: string, { apiKey }: typeof alice) =>
      errorLine(["token", "revoke", tokenId, "--workspace", apiKey, "--stack", "s"]);
    expect(await revoke(id, bob)).toContain("no auth token with this id");
    expect(await revoke("", alice)).toContain("no auth token with this id");
    expect(await revoke(alice.authToken, alice)).not.toContain(alice.authToken);
  });
});

describe("a setting", () => {
  it("can be a switch, which refuses calls when it is off and does not change other switches", async () => {
    const alice = await newWorkspace();
    const on = ["--workspace", alice.apiKey];
    expect(await onStack(["switch", "set", "advancedQueries", "off", ...on])).toEqual({ advancedQueries: false });
    await onStack(["switch", "set", "advancedWebhooks", "on", ...on]);
    const data = { organizationId: "o", createOrganization: true, folders: [{ folderId: "f" }] };
    expect((await call(foldersAdd, { as: alice, data })).error?.status).toBe("FAILED_PRECONDITION");
    expect(await Setting.get({ workspace: alice.apiKey }, "switches")).toEqual({
      advancedQueries: false,
      notifications: true,
      advancedWebhooks: true,
      browser: false,
      live: false,
    });
  });

  it("can be the default access type", async () => {
    const { apiKey } = await newWorkspace();
    const output = await onStack(["access", "set", "restricted", "--workspace", apiKey]);
    expect(output).toEqual({ defaultAccessType: "restricted" });
    expect(await Setting.get({ workspace: apiKey }, "access")).toEqual(output);
  });
});

describe("limit", () => {
  it("is set for one workspace, shown, and removed", async () => {
    const { apiKey } = await newWorkspace();
    const on = ["--workspace", apiKey];
    expect(await onStack(["limit", "get", ...on])).toEqual({ isDefault: true });
    const set = await onStack(["limit", "set", "--rate", "500", ...on]);
    expect(set).toEqual({ isDefault: false, rate: 500, burst: 1_000 });
    expect(await onStack(["limit", "set", "--rate", "500", "--burst", "600", ...on])).toMatchObject({ burst: 600 });
    expect(await onStack(["limit", "get", ...on])).toEqual({ isDefault: false, rate: 500, burst: 600 });
    expect(callLimitOf((await Workspace.get({ workspace: apiKey })) as Workspace.Workspace)).toEqual({
      perSecond: 500,
      burst: 600,
    });
    expect(await onStack(["limit", "set", "--default", ...on])).toEqual({ isDefault: true });
    expect(await Workspace.get({ workspace: apiKey })).not.toHaveProperty("callsPerSecond");
  });

  it("needs a rate from 1 on, or --default", async () => {
    const { apiKey } = await newWorkspace();
    const setting = (...args: string[]) => errorLine(["limit", "set", ...args, "--workspace", apiKey, "--stack", "s"]);
    expect(await setting()).toBe("Give --rate, --messages, or --default.\n");
    expect(await setting("--rate", "0")).toContain("It must be a whole number from 1 to 9,999,999.");
    expect(await setting("--rate", "5", "--default")).toContain("cannot be used with");
  });
});

describe("--stack", () => {
  it("uses the table and the key that the stack outputs", async () => {
    const aws = mockAws([mocked.rows[0] as Item, formatEntity.put({}, { version: format }).put]);
    onTestFinished(aws.restore);
    stackHas({ TableName: "their-table", KeyId: "their-key" });
    await onStack(["ai-key", "set", "--vendor", "openai", "--workspace", "w"], Readable.from(["sk"]));
    expect(aws.calls()).toEqual([
      "Get FORMAT FORMAT",
      "Get W#w WORKSPACE",
      "Get W#w SETTING#ai",
      "TransactWrite Update W#w SETTING#ai if {no revision}",
      "GenerateDataKey",
    ]);
    expect(aws.dynamo.commandCalls(GetCommand)[0]?.args[0].input.TableName).toBe("their-table");
    expect(aws.kms.calls()[0]?.args[0].input).toMatchObject({
      KeyId: "their-key",
      EncryptionContext: { workspace: "w", purpose: "ai-key-openai" },
    });
  });

  it("refuses a table of another format in one line, and says what to do", async () => {
    onTestFinished(mockAws([formatEntity.put({}, { version: 4 }).put]).restore);
    expect(await errorLine(["workspace", "list", "--stack", "s"])).toBe(
      "The table has items of format 4, and this version reads format 1. Use the version that wrote them, or other data.\n",
    );
  });

  it("fails for an unknown stack, and for a stack of another project", async () => {
    const notFound = Object.assign(new Error("Stack with id t does not exist"), { name: "ValidationError" });
    cloudFormation.on(DescribeStacksCommand, { StackName: "t" }).rejects(notFound);
    expect(await errorLine(["workspace", "list", "--stack", "t"])).toBe(
      "The stack t cannot be read: Stack with id t does not exist. Check the name, AWS_REGION and the account of the credentials.\n",
    );
    stackHas({ TableName: "t" });
    expect(await errorLine(["workspace", "list", "--stack", "s"])).toContain("has no output KeyId");
  });

  it("prints an error of AWS in one line", async () => {
    const aws = mockAws();
    onTestFinished(aws.restore);
    const denied = Object.assign(new Error("Not\nauthorized"), { name: "AccessDeniedException", $metadata: {} });
    aws.dynamo.rejects(denied).on(GetCommand).rejects(denied);
    expect(await errorLine(["token", "list", "--workspace", "w", "--stack", "s"])).toBe(
      "AWS: AccessDeniedException: Not authorized. Use AWS credentials that may do this on the stack.\n",
    );
  });
});

describe("the command line", () => {
  const w = ["--workspace", "w"];
  it.each([
    [["token", "list"], "'--workspace <api-key>' not specified (`workspace list` prints the API keys. See --help.)"],
    [["token", "list", "--workspace", "", "--stack", "s"], "There is no workspace"],
    [["token", "revoke", ...w], "missing required argument 'id'"],
    [["ai-key", "set", ...w], "'--vendor <vendor>' not specified"],
    [["ai-key", "set", "--vendor", "x", ...w], "openai, anthropic, gemini"],
    [["ai-key", "set", "sk-argument", "--vendor", "openai", ...w], "too many arguments"],
    [["switch", "set", "x", "on", ...w], switchNames.join(", ")],
    [["switch", "set", "notifications", "yes", ...w], "on, off"],
    [["access", "set", "private", ...w], "organizationPrivate, restricted, public"],
    [["workspace", "create", "--default-access", "x"], "organizationPrivate, restricted, public"],
    [["workspace", "create", "--name", "a\nb"], "control characters"],
    [["workspace", "list", "--data", "d", "--stack", "s"], "cannot be used with"],
    [["workspace", "lst"], "Did you mean list?"],
    [["nonsense"], "unknown command"],
  ])("refuses %j with the reason in one line", async (args, reason) => {
    expect(await errorLine(args)).toContain(reason);
  });

  it("has help with the choices at each level", async () => {
    const helps: [string[], string[]][] = [
      [[], ["workspace", "token", "switch", "access", "limit", "ai-key"]],
      [["workspace"], ["create", "list", "show"]],
      [
        ["token", "create"],
        ["--workspace", "--name", "--json", "--data", "--stack"],
      ],
      [["switch", "set"], [...switchNames]],
      [
        ["ai-key", "set"],
        ["standard input", ...aiVendors],
      ],
    ];
    for (const [command, words] of helps) {
      const { status, stdout } = await run([...command, "--help"]);
      expect(status).toBe(0);
      for (const word of words) expect(stdout).toContain(word);
    }
    expect(await run([])).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("Usage:") });
  });
});
