// The command inside this process. A stack's outputs, which are mocked, lead it to the engines that all tests share.
import { PassThrough, Readable } from "node:stream";
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { foldersAdd } from "../../../functions/content/folders-add.ts";
import { authtokensGet } from "../../../functions/workspace/authtokens-get.ts";
import { admin } from "../../../infra/admin/program.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { aiVendors, switchNames } from "../../../lib/schema/setting-names.ts";
import { unseal } from "../../../lib/secrets.ts";
import { keys } from "../../../lib/store/keys.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, newWorkspace } from "../../support/call.ts";

const { TABLE_NAME = "", KMS_KEY_ID = "" } = process.env;
const cloudFormation = mockClient(CloudFormationClient);

function stackHas(outputs: Record<string, string>): void {
  const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  const stack = { StackName: "s", CreationTime: new Date(0), StackStatus: "CREATE_COMPLETE" as const, Outputs };
  cloudFormation.on(DescribeStacksCommand, { StackName: "s" }).resolves({ Stacks: [stack] });
}

beforeEach(() => {
  cloudFormation.reset();
  stackHas({ ApiUrl: "https://api.example.com", TableName: TABLE_NAME, KeyId: KMS_KEY_ID });
});

afterEach(() => {
  Object.assign(process.env, { TABLE_NAME, KMS_KEY_ID });
  vi.useRealTimers();
});

async function run(args: string[], stdin: Readable = Readable.from([])) {
  const said = { stdout: "", stderr: "" };
  const print = (text: string) => {
    said.stdout += text;
  };
  const complain = (text: string) => {
    said.stderr += text;
  };
  const status = await admin(args, { stdin, print, complain });
  return { status, ...said };
}

/** What the command answers on the stack, as JSON. */
async function onStack(args: string[], stdin?: Readable) {
  const { status, stdout, stderr } = await run([...args, "--stack", "s", "--json"], stdin);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function complaint(args: string[], stdin?: Readable): Promise<string> {
  const { status, stdout, stderr } = await run(args, stdin);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr;
}

const setKey = (apiKey: string, vendor: string) => ["ai-key", "set", "--vendor", vendor, "--workspace", apiKey];

describe("workspace", () => {
  it("is made with credentials that work", async () => {
    const made = await onStack(["workspace", "create"]);
    expect(Object.keys(made)).toEqual(["apiKey", "authToken"]);
    expect((await call(authtokensGet, { as: made })).status).toBe(200);
  });

  it("shows its settings, and neither its secrets nor another's", async () => {
    const { apiKey, authToken } = await onStack(["workspace", "create", "--name", "Ada 🎉"]);
    expect(await onStack(["workspace", "show", "--workspace", apiKey])).toEqual({
      apiKey,
      name: "Ada 🎉",
      createdAt: expect.any(String),
      defaultAccessType: "organizationPrivate",
      switches: { advancedQueries: true, notifications: true, advancedWebhooks: false },
      aiKeys: { openai: false, anthropic: false, gemini: false },
    });
    const { cursorSecret } = (await Table.get<{ cursorSecret: string }>(keys.workspace(apiKey))) ?? {};
    for (const args of [
      ["workspace", "list"],
      ["workspace", "show", "--workspace", apiKey],
    ]) {
      const { stdout } = await run([...args, "--stack", "s"]);
      expect(stdout).toContain(apiKey);
      expect(stdout).not.toContain(cursorSecret);
      expect(stdout).not.toContain(authToken);
    }
  });
});

describe("token", () => {
  it("works until it is revoked, apart from the 30 seconds that a server keeps it", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { apiKey } = await newWorkspace();
    const { authToken } = await onStack(["token", "create", "--name", "ci", "--workspace", apiKey]);
    const as = { apiKey, authToken };
    expect((await call(authtokensGet, { as })).status).toBe(200);
    const listed = await onStack(["token", "list", "--workspace", apiKey]);
    expect(listed).toEqual((await call(authtokensGet, { as })).data.authTokens);
    expect(JSON.stringify(listed)).not.toContain(authToken);
    const { id } = listed.find(({ name }: { name: string }) => name === "ci");
    expect(await onStack(["token", "revoke", id, "--workspace", apiKey])).toEqual({ id, revoked: true });
    vi.setSystemTime(Date.now() + 30_001);
    expect((await call(authtokensGet, { as })).error?.status).toBe("PERMISSION_DENIED");
  });

  it("cannot be revoked twice, from another workspace, or by its text, which is not repeated", async () => {
    const [alice, bob] = [await newWorkspace(), await newWorkspace()];
    const [{ id }] = await onStack(["token", "list", "--workspace", alice.apiKey]);
    const revoke = (what: string, { apiKey }: typeof alice) =>
      complaint(["token", "revoke", what, "--workspace", apiKey, "--stack", "s"]);
    expect(await revoke(id, bob)).toContain("no auth token of this id");
    expect(await revoke("", alice)).toContain("no auth token of this id");
    expect(await revoke(alice.authToken, alice)).not.toContain(alice.authToken);
    await onStack(["token", "revoke", id, "--workspace", alice.apiKey]);
    expect(await revoke(id, alice)).toContain("no auth token of this id");
  });
});

describe("settings", () => {
  it("a switch that is off refuses calls, and leaves the others as they are", async () => {
    const alice = await newWorkspace();
    const on = ["--workspace", alice.apiKey];
    expect(await onStack(["switch", "set", "advancedQueries", "off", ...on])).toEqual({ advancedQueries: false });
    await onStack(["switch", "set", "advancedWebhooks", "on", ...on]);
    const data = { organizationId: "o", createOrganization: true, folders: [{ folderId: "f" }] };
    expect((await call(foldersAdd, { as: alice, data })).error?.status).toBe("FAILED_PRECONDITION");
    expect(await Setting.get(alice.apiKey, "switches")).toEqual({
      advancedQueries: false,
      notifications: true,
      advancedWebhooks: true,
    });
  });

  it("sets the default access type", async () => {
    const { apiKey } = await newWorkspace();
    const answer = await onStack(["access", "set", "restricted", "--workspace", apiKey]);
    expect(answer).toEqual({ defaultAccessType: "restricted" });
    expect(await Setting.get(apiKey, "access")).toEqual(answer);
  });
});

describe("ai-key", () => {
  it("seals each vendor's key for that vendor, and loses none that is set at the same time", async () => {
    const { apiKey } = await newWorkspace();
    await Promise.all(
      aiVendors.map((vendor) => onStack(setKey(apiKey, vendor), Readable.from([`key-of-${vendor}\n`]))),
    );
    const stored = await Setting.get(apiKey, "ai");
    for (const vendor of aiVendors) {
      const context = { workspace: apiKey, purpose: `ai-key-${vendor}` };
      expect(await unseal(stored[`${vendor}ApiKeySealed`], context)).toBe(`key-of-${vendor}`);
    }
    expect(JSON.stringify(stored)).not.toContain("key-of");
  });

  it.each([
    ["", "is empty"],
    ["\n", "is empty"],
    ["sk-a\nsk-b\n", "must be one line"],
    ["sk-ü", "must be one line"],
    ["x".repeat(9_000), "too long"],
  ])("refuses %j, repeats nothing and stores nothing", async (input, reason) => {
    const { apiKey } = await newWorkspace();
    const said = await complaint([...setKey(apiKey, "openai"), "--stack", "s"], Readable.from([input]));
    expect(said).toContain(reason);
    expect(said).not.toContain("sk-");
    expect((await Setting.get(apiKey, "ai")).openaiApiKeySealed).toBe("");
  });

  it("asks on a terminal, without an echo", async () => {
    const { apiKey } = await newWorkspace();
    const type = (typed: string) => {
      const terminal = Object.assign(new PassThrough(), { isTTY: true, setRawMode: vi.fn() });
      terminal.write(typed);
      return run([...setKey(apiKey, "gemini"), "--stack", "s"], terminal);
    };
    expect(await type("sk-typex\u007fd\r")).toEqual({
      status: 0,
      stdout: "The API key of gemini is set.\n",
      stderr: "API key of gemini: \n",
    });
    const { geminiApiKeySealed } = await Setting.get(apiKey, "ai");
    expect(await unseal(geminiApiKeySealed, { workspace: apiKey, purpose: "ai-key-gemini" })).toBe("sk-typed");
    expect(await type("sk-other\u0003")).toMatchObject({ status: 1, stderr: "API key of gemini: \nCancelled.\n" });
    expect(await type("\u0004")).toMatchObject({ status: 1, stderr: expect.stringContaining("is empty") });
  });
});

describe("--stack", () => {
  it("works on the table and key that the stack's outputs name", async () => {
    const aws = mockAws([{ pk: "W#w", sk: "WORKSPACE", apiKey: "w", name: "", createdAt: "" }]);
    onTestFinished(aws.restore);
    stackHas({ TableName: "their-table", KeyId: "their-key" });
    await onStack(setKey("w", "openai"), Readable.from(["sk"]));
    expect(aws.calls()).toEqual(["Get W#w WORKSPACE", "Update W#w SETTING#ai", "GenerateDataKey"]);
    expect(aws.dynamo.commandCalls(GetCommand)[0]?.args[0].input.TableName).toBe("their-table");
    expect(aws.kms.calls()[0]?.args[0].input).toMatchObject({
      KeyId: "their-key",
      EncryptionContext: { workspace: "w", purpose: "ai-key-openai" },
    });
  });

  it("fails where there is no such stack, or another's", async () => {
    const gone = Object.assign(new Error("Stack with id t does not exist"), { name: "ValidationError" });
    cloudFormation.on(DescribeStacksCommand, { StackName: "t" }).rejects(gone);
    expect(await complaint(["workspace", "list", "--stack", "t"])).toBe(
      "The stack t cannot be read: Stack with id t does not exist\n",
    );
    stackHas({ TableName: "t" });
    expect(await complaint(["workspace", "list", "--stack", "s"])).toContain("has no output KeyId");
  });

  it("tells AWS's refusals in one line", async () => {
    const aws = mockAws();
    onTestFinished(aws.restore);
    const denied = Object.assign(new Error("Not\nauthorized"), { name: "AccessDeniedException", $metadata: {} });
    aws.dynamo.rejects(denied).on(GetCommand).rejects(denied);
    expect(await complaint(["token", "list", "--workspace", "w", "--stack", "s"])).toBe(
      "AWS: AccessDeniedException: Not authorized\n",
    );
  });
});

describe("usage", () => {
  const w = ["--workspace", "w"];
  it.each([
    [["token", "list"], "'--workspace <api-key>' not specified"],
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
  ])("%j is told in one line what is wrong", async (args, reason) => {
    expect(await complaint(args)).toContain(reason);
  });

  it("has help at each level, with what can be chosen", async () => {
    const helps: [string[], string[]][] = [
      [[], ["workspace", "token", "switch", "access", "ai-key"]],
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
