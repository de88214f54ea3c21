import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { askProvider, type ProviderOptions, type ProviderQuestion } from "../../../lib/access/permission-provider.ts";
import { inCall, newCall } from "../../../lib/call.ts";
import { Secret } from "../../../lib/secret.ts";
import { listen, resolver, toLocalhost, toPublic } from "../../support/net/listen.ts";

type Entry = Record<string, unknown>;
type Sent = { data: { requests: ProviderQuestion[] } };

const now = 1_700_000_000_500;
const failed = { outcome: "failed" };
const denied = { outcome: "denied" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now });
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function question(id: string, more: Partial<ProviderQuestion["resource"]> = {}): ProviderQuestion {
  return { userId: "u", resource: { id, type: "document", organizationId: "o", ...more } };
}

function entry(asked: ProviderQuestion, more: Entry = {}): Entry {
  const { id, type, organizationId } = asked.resource;
  return { userId: asked.userId, resourceId: id, type, organizationId, hasAccess: true, ...more };
}

const questions = (count: number) => Array.from({ length: count }, (_, index) => question(`d${index}`));
const reply = (data: unknown) => JSON.stringify({ data, success: true, statusCode: 200 });

async function bodyOf(request: IncomingMessage): Promise<Sent> {
  return JSON.parse((await request.toArray()).join(""));
}

/** A provider that returns the result of `answer` as the entries of a call. */
function provider(answer: (requests: ProviderQuestion[]) => unknown): RequestListener {
  return async (request, response) => response.end(reply(answer((await bodyOf(request)).data.requests)));
}

async function ask(server: RequestListener, requests: ProviderQuestion[], options: ProviderOptions = {}) {
  const url = `http://provider.example:${await listen(server)}/permissions`;
  return askProvider({ url, authToken: new Secret("secret"), requests }, { through: toLocalhost, ...options });
}

/** The answer to one question when the provider's entry has these fields. */
async function answerFor(more: Entry) {
  const [answer] = await ask(
    provider(([first]) => [entry(first as ProviderQuestion, more)]),
    [question("d")],
  );
  return answer;
}

describe("the request", () => {
  test("has the contract's form, with the token", async () => {
    let seen: unknown;
    const requests = [question("d", { parentFolderId: "f" }), question("f", { type: "folder" })];
    await ask(async (request, response) => {
      const { method, url, headers } = request;
      seen = {
        method,
        url,
        authorization: headers.authorization,
        type: headers["content-type"],
        body: await bodyOf(request),
      };
      response.end(reply([]));
    }, requests);
    expect(seen).toEqual({
      method: "POST",
      url: "/permissions",
      authorization: "Bearer secret",
      type: "application/json",
      body: { data: { requests } },
    });
  });

  test("is not sent when there is no question", async () => {
    expect(await ask(() => expect.fail("the provider was called"), [])).toEqual([]);
  });

  test("has at most 200 different questions, and at most 5 requests are in flight", async () => {
    const sizes: number[] = [];
    let [begun, replied, most] = [0, 0, 0];
    // Each request begins with a look-up of the name.
    const resolve = async () => {
      begun += 1;
      most = Math.max(most, begun - replied);
      return ["127.0.0.1"];
    };
    const server = provider((asked) => {
      sizes.push(asked.length);
      replied += 1;
      return asked.map((each) => entry(each));
    });
    const answers = await ask(server, [...questions(1_301), question("d0")], { through: { ...toLocalhost, resolve } });
    expect(sizes.toSorted((a, b) => b - a)).toEqual([200, 200, 200, 200, 200, 200, 101]);
    expect(most).toBe(5);
    expect(answers).toHaveLength(1_302);
    expect(answers.every(({ outcome }) => outcome === "allowed")).toBe(true);
  });
});

test("a reply that begins with a byte order mark is read", async () => {
  const answers = await ask((_, response) => response.end(`\uFEFF${reply([entry(question("d"))])}`), [question("d")]);
  expect(answers).toEqual([{ outcome: "allowed", accessRole: "editor" }]);
});

describe("an entry", () => {
  test("answers the question with the same user, resource, type and organization, in any order", async () => {
    const requests = [question("a"), question("b"), question("a", { type: "folder" })];
    const roles = ["viewer", "editor", "editor"];
    const server = provider((asked) => asked.map((each, index) => entry(each, { accessRole: roles[index] })).reverse());
    expect(await ask(server, requests)).toEqual(roles.map((accessRole) => ({ outcome: "allowed", accessRole })));
  });

  test("without a role grants the default role", async () => {
    expect(await answerFor({})).toEqual({ outcome: "allowed", accessRole: "editor" });
    expect(await answerFor({ accessRole: null, expiresAt: null })).toEqual({
      outcome: "allowed",
      accessRole: "editor",
    });
  });

  test("has its end rounded down to seconds", async () => {
    expect(await answerFor({ expiresAt: now + 9_999 })).toMatchObject({ outcome: "allowed", expiresAt: 1_700_000_010 });
  });

  test.each([now, now - 1, now + 499, 1_700_000_100, 0, -1])("is a denial when it expired at %i", async (expiresAt) => {
    expect(await answerFor({ expiresAt })).toEqual(denied);
  });

  test("is a denial when it expires now, at a full second", async () => {
    vi.setSystemTime(1_700_000_001_000);
    expect(await answerFor({ expiresAt: 1_700_000_001_000 })).toEqual(denied);
  });

  test("is a denial when hasAccess is false", async () => {
    expect(await answerFor({ hasAccess: false, accessRole: "editor" })).toEqual(denied);
  });

  test.each([undefined, null, 1, 0, "true", "false", {}])("is a failure when hasAccess is %j", async (hasAccess) => {
    expect(await answerFor({ hasAccess, accessRole: "editor" })).toEqual(failed);
  });

  test.each([
    { accessRole: "owner" },
    { accessRole: "" },
    { accessRole: 1 },
    { expiresAt: "soon" },
    { expiresAt: 1e15 },
  ])("is a failure when a field is invalid: %j", async (more) => {
    expect(await answerFor(more)).toEqual(failed);
  });

  test("is a failure when it is missing, without an effect on other entries", async () => {
    const server = provider(([first]) => [entry(first as ProviderQuestion), null, 7, { userId: "u" }]);
    expect(await ask(server, [question("a"), question("b")])).toEqual([
      { outcome: "allowed", accessRole: "editor" },
      failed,
    ]);
  });

  test.each([
    { userId: "other" },
    { resourceId: "other" },
    { type: "folder" },
    { organizationId: "other" },
    { userId: 1 },
  ])("is ignored when it matches no question: %j", async (more) => {
    expect(await answerFor(more)).toEqual(failed);
  });

  test("is ignored when its question is part of another request", async () => {
    const requests = questions(201);
    const all = () => requests.map((each) => entry(each));
    const answers = await ask(provider(all), requests);
    expect(answers.every(({ outcome }) => outcome === "allowed")).toBe(true);
  });

  test("is a failure when another entry has the same question", async () => {
    const server = provider(([first]) => [first, first].map((each) => entry(each as ProviderQuestion)));
    expect(await ask(server, [question("a")])).toEqual([failed]);
  });
});

describe("a failed request", () => {
  const good = reply([entry(question("d"))]);
  const faults: Record<string, (response: ServerResponse) => unknown> = {
    "an empty body": (response) => response.end(),
    "a body that is not JSON": (response) => response.end("<html>"),
    "success false": (response) => response.end(good.replace('true,"statusCode"', 'false,"statusCode"')),
    "another statusCode": (response) => response.end(good.replace("200", "500")),
    "no data": (response) => response.end('{"success":true,"statusCode":200}'),
    "data that is not a list": (response) => response.end(reply({})),
    "HTTP status 500": (response) => response.writeHead(500).end(good),
    "a redirect": (response) => response.writeHead(307, { location: "/permissions" }).end(good),
    "more than 1 MB": (response) => response.end(good + " ".repeat(1_048_577 - good.length)),
    "a broken connection": (response) => response.destroy(),
  };

  test.each(Object.entries(faults))("is sent twice, then fails its questions: %s", async (_fault, answer) => {
    const server = vi.fn<RequestListener>((_request, response) => void answer(response));
    expect(await ask(server, [question("d")])).toEqual([failed]);
    expect(server).toHaveBeenCalledTimes(2);
  });

  test("is sent again, and the second reply counts", async () => {
    const replies = ["", good + " ".repeat(1_048_576 - good.length)];
    const answers = await ask((_request, response) => response.end(replies.shift()), [question("d")]);
    expect(answers).toEqual([{ outcome: "allowed", accessRole: "editor" }]);
  });

  test("does not affect the other requests", async () => {
    const half = provider((asked) => (asked.length === 200 ? "broken" : asked.map((each) => entry(each))));
    const answers = await ask(half, questions(201));
    expect(answers.map(({ outcome }) => outcome)).toEqual([...Array(200).fill("failed"), "allowed"]);
  });

  test("is sent twice when no reply comes in time", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now });
    const server = vi.fn(() => void vi.advanceTimersByTime(3_000));
    expect(await ask(server, [question("d")])).toEqual([failed]);
    expect(server).toHaveBeenCalledTimes(2);
  });

  test("fails at the end of the total time, after which no request is sent", async () => {
    const end = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(end.signal);
    const server = vi.fn(() => {
      if (server.mock.calls.length === 5) end.abort();
    });
    const { resolve, names } = resolver(["127.0.0.1"]);
    const answers = await ask(server, questions(2_000), { through: { ...toLocalhost, resolve } });
    expect(timeout.mock.calls).toEqual([[20_000]]);
    expect(answers.every(({ outcome }) => outcome === "failed")).toBe(true);
    expect(server).toHaveBeenCalledTimes(5);
    expect(names).toHaveLength(5);
  });

  test("fails at the deadline of the call", async () => {
    const end = new AbortController();
    const record = newCall("r", end.signal);
    expect(await inCall(record, () => ask(() => end.abort(), [question("d")]))).toEqual([failed]);
  });

  test("is never sent to a private address, or with a token that is invalid in a header", async () => {
    const server = vi.fn();
    const port = await listen(server);
    const requests = [question("d")];
    const through = { ...toPublic, resolve: resolver(["127.0.0.1"]).resolve };
    for (const url of [`http://127.0.0.1:${port}/`, `http://provider.example:${port}/`]) {
      expect(await askProvider({ url, authToken: new Secret("t"), requests }, { through })).toEqual([failed]);
    }
    const url = `http://provider.example:${port}/`;
    expect(await askProvider({ url, authToken: new Secret("a\nb"), requests }, { through: toLocalhost })).toEqual([
      failed,
    ]);
    expect(server).not.toHaveBeenCalled();
  });

  test("is logged without the token and the body", async () => {
    await ask((_request, response) => response.end("private text"), [question("d")]);
    const lines = vi.mocked(process.stdout.write).mock.calls.join("");
    expect(lines).toContain("The permission provider gave no usable answer.");
    expect(lines).not.toMatch(/private text|secret/);
  });
});
