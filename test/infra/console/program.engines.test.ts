import { Readable } from "node:stream";
import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { authtokensGet } from "../../../functions/auth-tokens/authtokens-get.ts";
import { consoleProgram } from "../../../infra/console/program.ts";
import { cloudFormation, mockStack, onStack, stackHas } from "../../support/admin.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call } from "../../support/call.ts";
import { keyIn, standInApi } from "../../support/console/site.ts";
import { serve } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";

mockStack();
beforeEach(() => {
  for (const name of ["API_KEY", "AUTH_TOKEN"]) vi.stubEnv(name, undefined);
});
afterEach(() => void vi.unstubAllEnvs());

interface Started {
  /** What the command has printed, once it serves or has ended. */
  printed: string;
  /** Throws if the command does not serve. */
  address(): string;
  stop(): Promise<{ status: number; stdout: string; stderr: string }>;
}

async function start(args: string[], stdin = ""): Promise<Started> {
  const output = { stdout: "", stderr: "" };
  const ready = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const print = (text: string) => {
    output.stdout += text;
    ready.resolve();
  };
  const printError = (text: string) => {
    output.stderr += text;
  };
  const io = { stdin: Readable.from(stdin === "" ? [] : [stdin]), print, printError };
  const ended = consoleProgram([...args, ...(args.includes("--port") ? [] : ["--port", "0"])], io, stopped.promise);
  const stop = async () => {
    stopped.resolve();
    return { status: await ended, ...output };
  };
  onTestFinished(async () => void (await stop()));
  await Promise.race([ready.promise, ended]);
  const address = () => {
    expect(output.stderr).toBe("");
    return /http:\S+token=\S+/.exec(output.stdout)?.[0] ?? "";
  };
  return { printed: output.stdout, address, stop };
}

async function failure(args: string[], stdin?: string): Promise<string> {
  const { status, stdout, stderr } = await (await start(args, stdin)).stop();
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr;
}

/** Opens the printed address, and calls an endpoint as the page does. */
async function users(address: string) {
  const opened = await fetch(address, { redirect: "manual" });
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const key = keyIn(opened.headers.get("location"));
  const ask = (path: string, init?: RequestInit) =>
    fetch(new URL(path, address), { ...init, headers: { cookie, ...key, "content-type": "application/json" } });
  const body = JSON.stringify({ data: { organizationId: "acme" } });
  return {
    session: await (await ask("/console/session")).json(),
    reply: await (await ask("/console/api/v2/users/get", { method: "POST", body })).text(),
  };
}

describe("--url", () => {
  test.each([
    [
      "the environment",
      ({ apiKey, authToken }: Record<string, string>) => ({ API_KEY: apiKey, AUTH_TOKEN: authToken }),
    ],
    ["two lines of standard input", ({ apiKey, authToken }: Record<string, string>) => `${apiKey}\n${authToken}\n`],
    [
      "JSON of standard input",
      ({ apiKey, authToken }: Record<string, string>) => JSON.stringify({ apiKey, authToken }),
    ],
  ])("shows a service with the keys of %s, which it does not print", async (_, given) => {
    const { ready } = await serve(temporaryFolder());
    const from = given({ apiKey: ready.apiKey, authToken: ready.authToken });
    if (typeof from === "object") for (const [name, value] of Object.entries(from)) vi.stubEnv(name, value);
    const { printed, address, stop } = await start(["--url", `${ready.url}/`], typeof from === "string" ? from : "");
    const { session, reply } = await users(address());
    expect(session).toMatchObject({
      mode: "url",
      api: ready.url,
      canChange: true,
      scopes: ["read", "write", "admin"],
      operations: { jobs: false },
    });
    expect(JSON.parse(reply)).toMatchObject({ error: { status: "INVALID_ARGUMENT" } });
    const { status, stdout, stderr } = await stop();
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const key of [ready.apiKey, ready.authToken]) expect(printed + stdout + reply).not.toContain(key);
  });

  test("says which scopes the token lacks", async () => {
    const { ready } = await serve(temporaryFolder());
    const { printed, address } = await start(["--url", ready.url], `${ready.apiKey}\n${ready.readToken}`);
    expect(printed).toContain("The auth token lacks the scopes: write, admin.\n");
    expect((await users(address())).session).toMatchObject({ scopes: ["read"] });
  });

  test("fails with one line that has no key", async () => {
    const { ready } = await serve(temporaryFolder());
    const wrong = `${ready.apiKey}\nat_wrong-token`;
    expect(await failure(["--url", ready.url], wrong)).toMatch(
      /refuses the keys: The header x-service-auth-token is not/,
    );
    const port = new URL(ready.url).port;
    expect(await failure(["--url", ready.url, "--port", port], `${ready.apiKey}\n${ready.authToken}`)).toMatch(
      /Port \d+ is in use by another server of this service\. Choose another port with --port/,
    );
    const other = await standInApi(() => ({ status: 404, body: "<html>" }));
    expect(await failure(["--url", other.url], "a b")).toMatch(/is not this service/);
    expect(await failure(["--url", "http://127.0.0.1:9"], "a b")).toMatch(/cannot be reached/);
  });

  test.each([
    ["tokens that are no list", { result: { data: { authTokens: "many" } } }],
    ["a token without scopes", { result: { data: { authTokens: [{ id: "a" }] } } }],
    ["a null", { result: { data: { authTokens: [null] } } }],
    ["a failure of another form", { error: { status: "PERMISSION_DENIED" } }],
    ["no envelope", "<html>"],
    ["null", "null"],
    ["deep nesting", `{"result":${"[".repeat(200_000)}${"]".repeat(200_000)}}`],
  ])("a reply with %s is not one of this service", async (_, body) => {
    const other = await standInApi(() => ({ body }));
    expect(await failure(["--url", other.url], "a b")).toMatch(/is not this service, or does not work now/);
  });

  test("shows a message of the service without its control characters, and without the keys", async () => {
    const secret = "at_the-token-of-the-test";
    const hostile = `no \u001b]0;title\u0007\r\nConsole  \u009b2J\u202e ${secret}`;
    const other = await standInApi(() => ({
      status: 403,
      body: { error: { status: "PERMISSION_DENIED", message: hostile } },
    }));
    const said = await failure(["--url", other.url], `ws_1\n${secret}`);
    expect(said).toContain("refuses the keys: no \\u{1b}]0;title\\u{7} Console \\u{9b}2J\\u{202e} ••••••••");
    expect(said).not.toContain(secret);
  });

  test.each([
    [[], "", /Name the service with --url or --stack/],
    [["--url", "nonsense"], "a b", /is not a URL/],
    [["--url", "http://api.example.com"], "a b", /must begin with https/],
    [["--url", "https://api.example.com"], "", /keys are missing.*API_KEY and AUTH_TOKEN.*standard input/],
    [["--url", "https://api.example.com"], '{"apiKey"', /not valid JSON/],
    [["--url", "https://api.example.com", "--workspace", "w"], "", /no effect without --stack/],
    [["--url", "https://api.example.com", "--port", "x"], "", /0 to 65535/],
    [["--url", "https://api.example.com", "--api-key", "x"], "", /unknown option/],
  ])("refuses %j and says what to do", async (args, stdin, says) => {
    expect(await failure(args, stdin)).toMatch(says);
  });

  test("refuses one key without the other", async () => {
    vi.stubEnv("API_KEY", "ws_1");
    expect(await failure(["--url", "https://api.example.com"])).toMatch(/Only one of API_KEY and AUTH_TOKEN/);
  });
});

const named = (name: string, message: string) => Object.assign(new Error(message), { name });

describe("--stack", () => {
  /** The stack's address is a stand-in, which accepts each call. */
  async function stackWithApi() {
    const api = await standInApi();
    const { TABLE_NAME = "", KMS_KEY_ID = "" } = process.env;
    stackHas({ ApiUrl: api.url, TableName: TABLE_NAME, KeyId: KMS_KEY_ID });
    return api;
  }

  test("with --workspace calls with a token of its own, which ends with the command", async () => {
    const api = await stackWithApi();
    const { apiKey } = await onStack(["workspace", "create"]);
    const { address, stop } = await start(["--stack", "s", "--workspace", apiKey]);
    const { session } = await users(address());
    expect(session).toMatchObject({ mode: "stack", api: api.url });
    const as = { apiKey, authToken: String(api.calls.at(-1)?.headers["x-service-auth-token"]) };
    expect((await call(authtokensGet, { as })).status).toBe(200);
    expect((await stop()).status).toBe(0);
    const left = await onStack(["token", "list", "--workspace", apiKey]);
    expect(left.map(({ name }: { name: string }) => name)).not.toContain("console");
  });

  test.each([
    ["no region", new Error("Region is missing"), "Set AWS_REGION"],
    ["no credentials", named("CredentialsProviderError", "Could not load credentials from any providers"), "Log in"],
    ["an old login", named("ExpiredToken", "The security token is expired"), "log in again"],
    ["another account", named("ValidationError", "Stack with id s does not exist"), "Check the name, AWS_REGION"],
    ["few rights", named("AccessDenied", "not authorized to perform"), "credentials that may do this"],
    ["no network", Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }), "For a stack, check the network"],
  ])("with %s fails with one line that says what to do", async (_, error, advice) => {
    cloudFormation.on(DescribeStacksCommand, { StackName: "s" }).rejects(error);
    const said = await failure(["--stack", "s", "--workspace", "ws_1"]);
    expect(said).toMatch(/^The stack s cannot be read: /);
    expect(said).toContain(advice);
  });

  test("fails with one line, too, when AWS refuses what follows", async () => {
    await stackWithApi();
    const aws = mockAws();
    onTestFinished(aws.restore);
    const denied = Object.assign(named("AccessDeniedException", "not\nallowed \u001b[2J"), { $metadata: {} });
    aws.dynamo.rejects(denied).on(GetCommand).rejects(denied);
    expect(await failure(["--stack", "s", "--workspace", "ws_1"])).toBe(
      "AWS: AccessDeniedException: not allowed \\u{1b}[2J. Use AWS credentials that may do this on the stack.\n",
    );
  });

  test("refuses a workspace that does not exist, and one beside a token", async () => {
    await stackWithApi();
    expect(await failure(["--stack", "s", "--workspace", "ws_none"])).toMatch(/There is no workspace "ws_none"/);
    vi.stubEnv("AUTH_TOKEN", "at_1");
    expect(await failure(["--stack", "s", "--workspace", "ws_none"])).toMatch(/has no effect with AUTH_TOKEN/);
  });
});

test("--help names the variables and the options", async () => {
  const { status, stdout } = await (await start(["--help"])).stop();
  expect(status).toBe(0);
  for (const word of ["--url", "--stack", "--workspace", "--port", "API_KEY", "AUTH_TOKEN"])
    expect(stdout).toContain(word);
});
