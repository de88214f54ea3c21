import { Readable } from "node:stream";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { httpServer, listen } from "../../../infra/local/listen.ts";
import { type Check, Skipped } from "../../../infra/smoke/call.ts";
import { checks } from "../../../infra/smoke/checks.ts";
import { smoke } from "../../../infra/smoke/program.ts";
import type { Target } from "../../../infra/smoke/request.ts";
import { userChecks } from "../../../infra/smoke/user-checks.ts";
import * as Setting from "../../../lib/store/setting.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { mockStack, stackHas } from "../../support/admin.ts";
import { serve, stopped } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";

mockStack();
afterEach(() => void vi.unstubAllEnvs());

async function run(args: string[], all?: readonly Check[]) {
  const output = { stdout: "", stderr: "" };
  const print = (text: string) => {
    output.stdout += text;
  };
  const printError = (text: string) => {
    output.stderr += text;
  };
  const status = await smoke(args, { stdin: Readable.from([]), print, printError }, all);
  return { status, ...output };
}

function withKeys({ apiKey, authToken }: { apiKey: string; authToken: string }): void {
  vi.stubEnv("SMOKE_API_KEY", apiKey);
  vi.stubEnv("SMOKE_AUTH_TOKEN", authToken);
}

/** Passes requests on, except those that `broken` answers, and these headers of replies. */
async function front(
  url: string,
  broken: (path: string) => number | undefined,
  headersOfReplies = /^(?:allow|access-control-.*)$/,
): Promise<string> {
  const server = httpServer(async (request, response) => {
    const status = broken(request.url ?? "");
    if (status) return void response.writeHead(status).end("<html>");
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const body = Buffer.concat(await request.toArray());
    const sent = {
      method: request.method ?? "",
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    };
    const reply = await fetch(url + request.url, sent);
    const passed = [...reply.headers].filter(([name]) => headersOfReplies.test(name));
    response.writeHead(reply.status, Object.fromEntries(passed)).end(await reply.text());
  });
  const listening = await listen(server, 0);
  onTestFinished(listening.close);
  return listening.url;
}

it("the local server passes, twice, and a service with a broken route fails and is told which one", async () => {
  const server = await serve(temporaryFolder());
  const { url } = server.ready;
  withKeys(server.ready);
  const passed = `${checks.map(({ name }) => `ok      ${name}\n`).join("")}The service at ${url} works.\n`;
  for (let times = 0; times < 2; times++) {
    expect(await run(["--url", `${url}/`])).toEqual({ status: 0, stdout: passed, stderr: "" });
  }
  const broken = await front(url, (path) => (path === "/v2/users/delete" ? 502 : undefined));
  const { status, stdout } = await run(["--url", broken]);
  expect(status).toBe(1);
  expect(stdout).toContain("FAILED  each endpoint's function answers at its route\n  /v2/users/delete: HTTP 502\n");
  expect(stdout).toContain(`1 of ${checks.length} checks failed.`);
  expect(stdout).not.toContain(server.ready.authToken);

  // As a gateway with CORS headers of its own.
  const own = await run(["--url", await front(url, () => undefined, /^allow$/)], userChecks);
  expect(own.stdout).toContain("2 of 4 checks failed.");
  expect(own.stdout).toContain("FAILED  a browser's preflight is answered where users call, and nowhere else\n  /");
  expect(own.stdout).toContain("FAILED  a page of an allowed domain calls, and another page reads why it may not\n");
  await stopped(server, "SIGTERM");
});

describe("with --stack", () => {
  const seen: Target[] = [];
  const passes: Check = { name: "it", run: async (target) => void seen.push(target) };
  const fails: Check = {
    name: "it",
    async run(target) {
      seen.push(target);
      throw new Error("no reply");
    },
  };

  it("the address is the stack's, and the workspace exists as long as the test", async () => {
    const looks: Check = {
      name: "it",
      async run(target) {
        seen.push(target);
        expect(await Workspace.get({ workspace: target.apiKey })).toMatchObject({ name: "smoke test" });
        expect(await Setting.get({ workspace: target.apiKey }, "switches")).toMatchObject({
          browser: true,
          live: true,
        });
      },
    };
    expect(await run(["--stack", "s"], [looks])).toMatchObject({ status: 0, stderr: "" });
    const { url, apiKey, authToken } = seen.at(-1) as Target;
    expect({ url, authToken }).toEqual({ url: "https://api.example.com", authToken: expect.stringMatching(/.{20}/) });
    expect(await Workspace.get({ workspace: apiKey })).toBeUndefined();
  });

  it("a check with nothing to check is named with its reason, and is no failure", async () => {
    const skips: Check = {
      name: "it",
      async run() {
        throw new Skipped("It is off.");
      },
    };
    const { status, stdout } = await run(["--stack", "s"], [skips]);
    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^skipped it\n {2}It is off\.\n/),
    });
  });

  it("the workspace is deleted after a failure too", async () => {
    expect(await run(["--stack", "s"], [fails])).toMatchObject({
      status: 1,
      stdout: "FAILED  it\n  no reply\n1 of 1 checks failed.\n",
    });
    expect(await Workspace.get({ workspace: (seen.at(-1) as Target).apiKey })).toBeUndefined();
  });

  it("another address of the service can be called, with keys of the environment", async () => {
    withKeys({ apiKey: "key", authToken: "token" });
    expect(await run(["--stack", "s", "--url", "https://cdn.example.com"], [passes])).toMatchObject({ status: 0 });
    expect(seen.at(-1)).toEqual({ url: "https://cdn.example.com", apiKey: "key", authToken: "token" });
  });

  it("a stack without a URL is refused", async () => {
    stackHas({ TableName: "t" });
    expect(await run(["--stack", "s"], [passes])).toMatchObject({ status: 1, stdout: "" });
  });
});

describe("the command line is refused", () => {
  it.each([
    [[], "Name the service with --url or --stack."],
    [["--url", "http://api.example.com"], "must begin with https://"],
    [["--url", "nowhere"], "nowhere is not a URL."],
    [["--url", "https://api.example.com"], "Set SMOKE_API_KEY and SMOKE_AUTH_TOKEN"],
    [["--nonsense"], "unknown option"],
  ])("%j", async (args, message) => {
    const { status, stdout, stderr } = await run(args, []);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(message);
  });
});
