// The built package: what its README shows, its types and its size.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { functionNameOf } from "../../../infra/client/function-name.ts";
import { named } from "../../../infra/deployables.ts";
import { projectWithClient, typeErrors } from "../../support/built-client.ts";
import { userToken } from "../../support/client/user-token.ts";
import { serve, stopped } from "../../support/local/serve.ts";

const called = named.filter(({ credentials }) => credentials !== "none");

const dir = projectWithClient();

/** The programs of the client's README, whole. */
const page = readFileSync(new URL("../../../infra/client/README.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, block = ""]) => block);
const [prologue = ""] = /import .*?authToken \}\);\n/s.exec(blocks[0] ?? "") ?? [];
const whole = (block: string) => (/^import \{ createClient/.test(block) ? block : `${prologue}${block}`);
const programs = Object.fromEntries(
  blocks.map((block, index) => [`program-${index + 1}.ts`, `${whole(block)}export {};\n`]),
);

/** All programs whose types are checked, in one run of the compiler. */
const checked: Record<string, string> = { ...programs };
let errors: Record<string, string> = {};
beforeAll(async () => {
  errors = await typeErrors(dir(), checked);
});

const place = `{ organizationId: "a", documentId: "d" }`;

const headline = (data: string) => `await client.notificationsAdd({ organizationId: "a", documentId: "d",
  actionUser: { userId: "u" }, notifyUsers: [{ userId: "u" }], displayHeadlineMessageTemplate: "t",
  displayHeadlineMessageTemplateData: ${data} });`;

/** Compares the declared reply of an endpoint with what its function resolves to. */
function sameReply({ name, path, envelope }: (typeof called)[number]): string {
  const body = `paths[${JSON.stringify(path)}]["post"]["responses"][200]["content"]["application/json"]`;
  const reply = { standard: `${body}["result"]["data"]`, page: body, raw: body, bare: "void" }[envelope];
  return `same<${reply}, Awaited<ReturnType<Client["${functionNameOf(name)}"]>>>(true);`;
}

describe("the README", () => {
  it("has programs that compile under strict rules without a cast", () => {
    expect(Object.keys(programs)).toHaveLength(7);
    for (const name of Object.keys(programs)) expect(errors[name]).toBeUndefined();
  });

  it("has programs that run against the local server", async () => {
    const data = await mkdtemp(join(tmpdir(), "collaboration-client-data-"));
    onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 3 }));
    const server = await serve(data);
    const { url, apiKey, authToken } = server.ready;
    const env = { ...process.env, API_URL: url, API_KEY: apiKey, AUTH_TOKEN: authToken };
    const outputs: string[] = [];
    for (const [name, _text] of Object.entries(programs)) {
      const { stdout } = await promisify(execFile)(process.execPath, [join(dir(), name)], { env });
      outputs.push(stdout);
    }
    const [first, failure, bulk, retried, lists, explained, receiver] = outputs;
    expect(first).toContain("status: 'RESOLVED'");
    expect(failure).toBe("INVALID_ARGUMENT organizationId: The organization does not exist.\n");
    expect([bulk, retried, receiver]).toEqual(["", "", ""]);
    expect(lists).toContain("organizationId: 'client-demo'");
    expect(lists?.trim().split("\n").at(-1)).toMatch(/^\d$/);
    expect(explained).toContain('"because"');
    expect(explained).toContain('"level": "organization"');
    expect(await stopped(server, "SIGTERM")).toBe(0);
  });
});

describe("the types", () => {
  const program = (text: string) => `
import { type Client, createClient, failedItems, isApiError, type paths } from "collaboration-backend-client";
import { verify } from "collaboration-backend-client/webhooks";
const client = createClient({ url: "https://a.example", apiKey: "k", authToken: "t" });
${text}
`;

  /** Declares a test whose program has no error, or an error with the text. */
  function compiles(what: string, text: string, error?: string) {
    const name = `${what.replaceAll(/\W+/g, "-")}.ts`;
    checked[name] = program(text);
    it(what, () => (error ? expect(errors[name]).toContain(error) : expect(errors[name]).toBeUndefined()));
  }

  describe("refuse", () => {
    const refused = (what: string, text: string, error = "error TS") => compiles(what, text, error);
    refused("an unknown field", `await client.organizationsGet({ organizationID: ["acme"] });`);
    refused("a missing field", "await client.documentsGet({});");
    refused("an unknown status", `isApiError(undefined, "GONE");`);
    refused(
      "an unknown status of an instance",
      `import { ApiError } from "collaboration-backend-client";
const thrown: unknown = undefined;
if (thrown instanceof ApiError && thrown.status === "NOT_FUOND") throw 0;`,
      "no overlap",
    );
    refused("an unknown event", `if (verify("s", "b", {}).event === "comment.explode") throw 0;`);
    refused(
      "an unknown field of an event",
      `const received = verify("s", "b", {});
if (received.event === "comment.add") console.log(received.data.comentId);`,
    );
    refused("an unknown path", `await client.POST("/v2/nothing/get", { body: { data: {} } });`);
    refused(
      "an unknown code of a failed item",
      `const results = await client.usersAdd({ organizationId: "a", users: [] });
for (const result of Object.values(results)) if (!result.success && result.code === "made-up") throw 0;`,
    );
    refused(
      "the items of another kind",
      `(await client.documentsDataGet({ ...${place}, kind: "reactions" })).items[0]?.comments;`,
      "'comments' does not exist",
    );
    refused("a number as a value of a headline", headline("{ task: 5 }"), "'number' is not assignable");
  });

  it("have no error themselves, which a project without skipLibCheck would see", () => {
    expect(Object.keys(errors).filter((name) => !(name in checked))).toEqual([]);
  });

  it("of each entry need none of Node, so a receiver can run in a browser or on an edge runtime", async () => {
    const text = `import { verify, WebhookVerificationError } from "collaboration-backend-client/webhooks";
export default {
  async fetch(request: Request): Promise<Response> {
    try {
      return Response.json(verify("s", await request.text(), request.headers).event);
    } catch (thrown) {
      if (thrown instanceof WebhookVerificationError) return new Response(thrown.message, { status: 401 });
      throw thrown;
    }
  },
};`;
    const imported = ["", "/browser", "/webhooks", "/yjs"].map((entry, index) => [
      `node-free-${index}.ts`,
      `import * as entry from "collaboration-backend-client${entry}";\nconsole.log(entry);`,
    ]);
    expect(await typeErrors(dir(), { "edge.ts": text, ...Object.fromEntries(imported) }, { types: [] })).toEqual({});
  });

  compiles(
    "know the status of an instance",
    `import { ApiError, type ErrorStatus } from "collaboration-backend-client";
const thrown: unknown = new ApiError("NOT_FOUND", "Gone.", { httpStatus: 404 });
const status: ErrorStatus | undefined = thrown instanceof ApiError ? thrown.status : undefined;
if (isApiError(thrown, "NOT_FOUND")) console.log(thrown.status satisfies "NOT_FOUND", status);`,
  );

  compiles(
    "have the items of the kind that was asked for",
    `const place = ${place};
const threads = await client.documentsDataGet({ ...place, kind: "comments" });
const text: string | undefined = threads.items[0]?.comments?.[0]?.text;
const token: string | null = threads.nextPageToken;
for await (const { reactionId, icon } of client.documentsDataGet.entries({ ...place, kind: "reactions" }))
  console.log(text, token, reactionId, icon);
for await (const { items } of client.documentsDataGet.pages({ ...place, kind: "recordings" })) console.log(items[0]?.url);
declare const kind: "comments" | "reactions";
for (const item of (await client.documentsDataGet({ ...place, kind })).items)
  console.log("reactionId" in item ? item.icon : item.comments);`,
  );

  compiles(
    "have persons and texts as values of a headline",
    headline(`{ actionUser: { userId: "u" }, recipientUser: { userId: "v" }, task: "Plan" }`),
  );

  compiles(
    "find failed items in maps and in lists",
    `const added = await client.usersAdd({ organizationId: "a", users: [] });
const { activities } = await client.activitiesAdd({ organizationId: "a", activities: [] });
for (const { key, code } of [...failedItems(added), ...failedItems(activities)]) console.log(key.length, code.length);`,
  );

  compiles(
    "take undefined for each option, also under exact optional types",
    `const absent: { retries?: number; signal?: AbortSignal; idempotencyKey?: string } = {};
const { retries, signal, idempotencyKey } = absent;
createClient({ url: "u", apiKey: "k", authToken: "t", retries, timeoutMs: retries, fetch: undefined });
await client.documentsGet({ organizationId: "a" }, { signal, idempotencyKey });`,
  );

  const browser = (
    text: string,
  ) => `import { createBrowserClient, isApiError as isFailure } from "collaboration-backend-client/browser";
const user = createBrowserClient({ url: "https://a.example", getToken: async () => "t" });
${text}`;

  compiles(
    "of the client for pages are those of its endpoints and of its failures",
    browser(`const thrown: unknown = await user.permissionsGet({ organizationId: "a", userIds: ["u"] }).catch((each) => each);
if (isFailure(thrown, "UNAUTHENTICATED")) console.log(thrown.status satisfies "UNAUTHENTICATED");
for await (const { icon } of user.documentsDataGet.entries({ ...${place}, kind: "reactions" })) console.log(icon);`),
  );

  compiles(
    "of a live document and a live inbox are those of their items",
    browser(`const document = user.document(${place});
document.subscribe({ comments: (threads) => console.log(threads?.[0]?.comments?.[0]?.text), status: ({ state }) => console.log(state satisfies string) });
const { annotationId, done } = document.addThread({ id: "page-1", locationName: "Page 1" }, { comment: { text: "Shall we?" } });
document.updateThread(annotationId, { status: "RESOLVED" }).then(() => done);
document.addReaction({ id: "page-1", locationName: "Page 1" }, { icon: "+", annotationId });
const inbox = user.inbox({ organizationId: "a" });
console.log(inbox.getSnapshot().notifications?.notifications[0]?.isRead, document.getSnapshot().presence?.[0]?.name);
inbox.read();`),
  );

  compiles(
    "of the provider for Yjs are those of its events",
    browser(`const { CollaborationProvider } = await import("collaboration-backend-client/yjs");
const { Doc } = await import("yjs");
const provider = new CollaborationProvider({ client: user, ...${place}, editorId: "body", doc: new Doc(), type: "xml" });
provider.on("status", ({ status }) => console.log(status satisfies string));
provider.on("replaced", ({ isDeleted }) => console.log(isDeleted, provider.awareness?.clientID));`),
  );

  compiles(
    "of a live document refuse a misspelled field",
    browser(`user.document(${place}).addComment("t", { txt: "Yes." });`),
    "'txt' does not exist",
  );

  compiles(
    "of the client for pages refuse the calls of servers",
    browser(`await user.usersAdd({ organizationId: "a", users: [] });`),
    "'usersAdd' does not exist",
  );

  // The entries of documents-data-get are those of the kind that was asked for.
  const replies = called.filter(({ name }) => name !== "documents-data-get");
  compiles(
    "are those of what each function resolves to: `data` of the result, or the whole body",
    `type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
declare function same<One, Other>(isSame: Same<One, Other>): void;
${replies.map(sameReply).join("\n")}
const exported = await client.usersDataGet({ organizationId: "a", userId: "u" });
console.log(exported.result.data.comments.length, exported.result.nextPageToken);`,
  );

  compiles(
    "need no keys for the endpoints that take them in `data`",
    `await client.locationsUpdate({ ...${place}, migrate: { oldLocation: { id: "l" }, newLocation: { id: "m" } } });`,
  );
});

it("has a function for each endpoint with credentials, which calls its path", async () => {
  const index = await import(join(dir(), "node_modules/collaboration-backend-client/index.js"));
  const sent: string[] = [];
  const fetch = async ({ url }: Request) => {
    sent.push(new URL(url).pathname);
    return Response.json({ result: { status: "success", data: {} } });
  };
  const client = index.createClient({ url: "https://a.example", apiKey: "k", authToken: "t", fetch });
  const { GET, POST, ...functions } = client;
  for (const each of Object.values<(data: object) => Promise<unknown>>(functions)) await each({});
  expect(sent.sort()).toEqual(called.map(({ path }) => path).sort());
  expect(JSON.stringify(client) + String(client)).not.toMatch(/"k"|"t"/);
});

describe("the entry for pages", () => {
  it("has a function for each endpoint that a user's token opens, which calls its path", async () => {
    const index = await import(join(dir(), "node_modules/collaboration-backend-client/browser.js"));
    const sent: string[] = [];
    const fetch = async ({ url }: Request) => {
      sent.push(new URL(url).pathname);
      return Response.json({ result: { status: "success", data: {} } });
    };
    const getToken = async () => userToken("alice");
    const client = index.createBrowserClient({ url: "https://a.example", getToken, fetch });
    const { document: _document, inbox: _inbox, ...functions } = client;
    for (const each of Object.values<(data: object) => Promise<unknown>>(functions)) await each({});
    expect(sent.sort()).toEqual(called.flatMap(({ path, users }) => (users ? [path] : [])).sort());
  });

  it("has at most 12 KB of gzip, minified, and no dependency", async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(dir(), "node_modules/collaboration-backend-client/browser.js")],
      bundle: true,
      minify: true,
      format: "esm",
      metafile: true,
      write: false,
    });
    expect(gzipSync(outputFiles[0]?.contents ?? "").length).toBeLessThan(12_000);
    const foreign = Object.keys(metafile.inputs).filter((path) => !path.includes("/collaboration-backend-client/"));
    expect(foreign).toEqual([]);
  });
});

it("has a provider for Yjs of at most 5 KB of gzip, minified, without Yjs", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(dir(), "node_modules/collaboration-backend-client/yjs.js")],
    bundle: true,
    minify: true,
    format: "esm",
    external: ["yjs", "y-protocols/*", "lib0/*"],
    metafile: true,
    write: false,
  });
  expect(gzipSync(outputFiles[0]?.contents ?? "").length).toBeLessThan(5_000);
  const others = Object.keys(metafile.inputs).filter((path) => !path.includes("/collaboration-backend-client/"));
  expect(others).toEqual([]);
});

it("has at most 31 KB with its dependencies, minified", async () => {
  const entries = ["index.js", "webhooks.js"].map((name) =>
    join(dir(), "node_modules/collaboration-backend-client", name),
  );
  const { outputFiles } = await build({
    entryPoints: entries,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    write: false,
    outdir: "out",
  });
  const bytes = outputFiles.map(({ contents }) => contents.length);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(31_000);
  expect(gzipSync(outputFiles[0]?.contents ?? "").length).toBeLessThan(10_000);
});
