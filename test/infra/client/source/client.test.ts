import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../../infra/client/source/api-error.ts";
import { failedItems, isApiError } from "../../../../infra/client/source/calls.ts";
import { makeClient } from "../../../../infra/client/source/client.ts";

const table = [
  "usersGet   users",
  "groupsUsersGet organizations/",
  "usersAdd  w",
  "locationsUpdate v1/locations/update wk",
  "askAi rewriter/ask-ai b",
  "crdtAdd  wn",
].join(";");

type Answer = () => Response | Promise<Response>;
// biome-ignore lint/suspicious/noExplicitAny: the types of the functions are generated
type AnyClient = any;

const sent: Request[] = [];
let answers: Answer[] = [];

beforeEach(() => {
  sent.length = 0;
  answers = [];
  vi.spyOn(Math, "random").mockReturnValue(0);
  return () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  };
});

const client = (more: object = {}): AnyClient =>
  makeClient(table, {
    url: "https://api.example.com/base/",
    apiKey: "the-key",
    authToken: "the-token",
    fetch: async (request) => {
      sent.push(request);
      const answer = answers.shift();
      if (!answer) throw new Error("No answer is left.");
      return answer();
    },
    ...more,
  });

const success = (data: unknown) => () => Response.json({ result: { status: "success", message: "Done.", data } });
const failure =
  (http: number, error: object, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ error }, { status: http, headers: { "x-request-id": "r1", ...headers } });
const unavailable = failure(503, { status: "UNAVAILABLE", message: "Try again." });
const keysOf = () => sent.map(({ headers }) => headers.get("idempotency-key"));

describe("a call", () => {
  it("sends the data with both keys as headers, and resolves to the data of the reply", async () => {
    answers = [success({ users: [] })];
    expect(await client().usersGet({ organizationId: "acme" })).toEqual({ users: [] });
    const [request] = sent as [Request];
    expect([request.method, request.url]).toEqual(["POST", "https://api.example.com/base/v2/users/get"]);
    expect(await request.json()).toEqual({ data: { organizationId: "acme" } });
    expect(request.headers.get("x-service-api-key")).toBe("the-key");
    expect(request.headers.get("x-service-auth-token")).toBe("the-token");
    expect(request.redirect).toBe("manual");
  });

  it("goes to the usual path, to one that ends with it, or to its own", async () => {
    answers = [success({}), success({}), () => Response.json({ text: "" })];
    await client().usersAdd();
    await client().groupsUsersGet();
    await client().askAi();
    const paths = ["users/add", "organizations/groups/users/get", "rewriter/ask-ai"];
    expect(sent.map(({ url }) => url)).toEqual(paths.map((path) => `https://api.example.com/base/v2/${path}`));
  });

  it("adds the keys to the data where the endpoint takes them there", async () => {
    answers = [success({})];
    await client().locationsUpdate({ organizationId: "acme" });
    expect(await sent[0]?.json()).toEqual({
      data: { organizationId: "acme", apiKey: "the-key", authToken: "the-token" },
    });
  });

  it("resolves to the whole body or to nothing where the endpoint has no `result.data`", async () => {
    answers = [() => Response.json({ text: "Hello" }), success(undefined)];
    expect(await client().askAi({})).toEqual({ text: "Hello" });
    expect(await client().crdtAdd({})).toBeUndefined();
  });

  it("rejects with the failure of the service", async () => {
    const details = { issues: [{ code: "custom", path: ["users", "0"], message: "Is wrong." }] };
    answers = [failure(400, { status: "INVALID_ARGUMENT", message: "users.0: Is wrong.", details })];
    const error = await client()
      .usersAdd({})
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: "ApiError",
      status: "INVALID_ARGUMENT",
      message: "users.0: Is wrong.",
      httpStatus: 400,
      requestId: "r1",
      issues: details.issues,
    });
    expect(isApiError(error, "INVALID_ARGUMENT", "NOT_FOUND")).toBe(true);
    expect(isApiError(error, "NOT_FOUND")).toBe(false);
    expect(isApiError(new Error("other"))).toBe(false);
  });

  const foreign = [
    ...["<html>", "", "null", "[]", '"text"', "5", '{"hello":1}'],
    ...['{"result":null}', '{"result":"yes"}', '{"result":[]}', '{"result":{}}', '{"result":{"data":{}}}'],
  ];

  it.each(foreign)("rejects with an ApiError for the success %j, which is not of the service", async (text) => {
    answers = [() => new Response(text), () => new Response(text)];
    const expected = { name: "ApiError", status: "INTERNAL", httpStatus: 200 };
    await expect(client().usersGet({})).rejects.toMatchObject(expected);
    await expect(client().crdtAdd({})).rejects.toMatchObject(expected);
  });

  it.each(["done", 5, undefined])("rejects with an ApiError for a success with the data %j", async (data) => {
    answers = [success(data)];
    await expect(client().usersGet({})).rejects.toMatchObject({ name: "ApiError", status: "INTERNAL" });
  });

  it("resolves to null where the reply has no more", async () => {
    answers = [success(null)];
    expect(await client().locationsUpdate({})).toBeNull();
  });

  it.each(["<html>", "null", "5"])("rejects with an ApiError for the whole reply %s", async (text) => {
    answers = [() => new Response(text)];
    await expect(client().askAi({})).rejects.toMatchObject({ name: "ApiError", status: "INTERNAL", httpStatus: 200 });
  });

  it.each([
    ["HTTP 304", () => new Response(null, { status: 304 }), "The service replied with HTTP 304."],
    ["no text", () => new Response("", { status: 500 }), "The service replied with HTTP 500."],
    ["null", () => new Response("null", { status: 500 }), "The service replied with HTTP 500."],
    ["no object", failure(500, "Broken." as never), "The service replied with HTTP 500."],
    ["odd fields", failure(500, { status: 5, message: {}, details: "d" }), "The service replied with HTTP 500."],
  ])("rejects with an ApiError for a failure with %s, which is not of the service", async (_, answer, message) => {
    answers = [answer];
    const error = await client()
      .usersGet({})
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: "INTERNAL", message, issues: [] });
  });

  it("tells which fields the service has ignored, by default as one printed line for each", async () => {
    const ignoring = () =>
      Response.json(
        { result: { status: "success", data: {} } },
        { headers: { "x-ignored-fields": "users.accesRole,a%2Cb%0A" } },
      );
    const told = vi.fn();
    answers = [ignoring, ignoring, ignoring];
    await client({ onIgnoredFields: told }).usersAdd({});
    expect(told.mock.calls).toEqual([[["users.accesRole", "a,b\n"], "usersAdd"]]);
    const warning = vi.spyOn(console, "warn").mockReturnValue();
    const quiet = client();
    for (let call = 0; call < 2; call++) await quiet.usersAdd({});
    const text = 'usersAdd ignored unknown fields: ["users.accesRole","a,b\\n"]';
    expect(warning.mock.calls).toEqual([[text]]);
  });

  it("keeps its reply when the header with ignored fields was changed on the way", async () => {
    const body = { result: { status: "success", data: { id: 1 } } };
    answers = [() => Response.json(body, { headers: { "x-ignored-fields": "a%,%FF" } })];
    const told = vi.fn();
    expect(await client({ onIgnoredFields: told }).usersAdd({})).toEqual({ id: 1 });
    expect(told.mock.calls).toEqual([[["a%", "%FF"], "usersAdd"]]);
  });

  it("goes to the service only, whatever openapi-fetch would permit", async () => {
    const elsewhere = { baseUrl: "https://other.example.com", body: { data: {} } };
    await expect(client().POST("/v2/users/get", elsewhere)).rejects.toThrow("calls only https://api.example.com");
    await expect(client({ url: "https://api.example.com" }).POST(".evil.com/x", {})).rejects.toThrow("calls only");
    expect(sent).toEqual([]);
  });

  it("gives its keys to no other `fetch`", async () => {
    const others: Request[] = [];
    const fetch = async (request: Request) => Response.json({ seen: others.push(request) });
    await client().POST("/v2/users/get", { baseUrl: "https://other.example.com", fetch, body: { data: {} } });
    expect([...(others[0]?.headers.keys() ?? [])]).toEqual(["content-type"]);
  });

  it("through `POST` rejects for a success that is not JSON, and resolves to a failure", async () => {
    answers = [() => new Response("<html>"), () => new Response("<html>", { status: 500 })];
    const post = () => client().POST("/v2/users/get", { body: { data: {} } });
    await expect(post()).rejects.toMatchObject({ name: "ApiError", status: "INTERNAL", httpStatus: 200 });
    expect(await post()).toMatchObject({ error: "<html>", response: { status: 500 } });
  });

  it("follows no redirect, and is not repeated for one", async () => {
    answers = [() => Response.redirect("https://other.example.com/")];
    await expect(client().usersAdd({})).rejects.toMatchObject({ status: "INTERNAL", httpStatus: 302 });
    expect(sent).toHaveLength(1);
  });

  it("gives the gateway's own failures a status too", async () => {
    answers = [() => Response.json({ message: "Request Too Long" }, { status: 413 })];
    await expect(client().usersAdd({})).rejects.toMatchObject({
      status: "INVALID_ARGUMENT",
      message: "Request Too Long",
      requestId: undefined,
    });
    answers = [() => new Response("<html>", { status: 502 })];
    await expect(client({ retries: 0 }).usersAdd({})).rejects.toMatchObject({ status: "UNAVAILABLE", httpStatus: 502 });
  });
});

describe("a repeated call", () => {
  it("has the idempotency key of the first attempt if it is a write", async () => {
    answers = [unavailable, unavailable, success({ id: 1 })];
    expect(await client().usersAdd({})).toEqual({ id: 1 });
    expect(keysOf()).toEqual([expect.stringMatching(/^[\w-]{36}$/), keysOf()[0], keysOf()[0]]);
    answers = [success({ id: 1 })];
    await client().usersAdd({});
    expect(keysOf()[3]).not.toBe(keysOf()[0]);
  });

  it("has the key of the caller, and none if it only reads", async () => {
    answers = [unavailable, success({ id: 1 }), unavailable, success({ id: 1 })];
    await client().usersAdd({}, { idempotencyKey: "mine" });
    await client().usersGet({});
    expect(keysOf()).toEqual(["mine", "mine", null, null]);
  });

  it("has no key without retries, and is not repeated", async () => {
    answers = [unavailable];
    await expect(client({ retries: 0 }).usersAdd({})).rejects.toMatchObject({ status: "UNAVAILABLE" });
    expect(keysOf()).toEqual([null]);
  });

  it("ends with the last failure after three repetitions", async () => {
    answers = [unavailable, unavailable, unavailable, unavailable];
    await expect(client().usersGet({})).rejects.toMatchObject({ status: "UNAVAILABLE", requestId: "r1" });
    expect(sent).toHaveLength(4);
  });

  it.each([
    ["a key in use", failure(409, { status: "ABORTED", message: "" }, { "retry-after": "0" }), 2],
    ["a key of another request", failure(409, { status: "ABORTED", message: "" }), 1],
    ["the service's time limit", failure(504, { status: "DEADLINE_EXCEEDED", message: "" }), 2],
    ["the gateway's limit", () => Response.json({ message: "Too Many Requests" }, { status: 429 }), 2],
    ["a limit that lasts", failure(429, { status: "RESOURCE_EXHAUSTED", message: "" }), 1],
    ["a limit of an hour", failure(429, { status: "RESOURCE_EXHAUSTED", message: "" }, { "retry-after": "3600" }), 1],
    ["a limit until a date", failure(429, { status: "RESOURCE_EXHAUSTED", message: "" }, { "retry-after": "Tue" }), 1],
    ["what exists already", failure(409, { status: "ALREADY_EXISTS", message: "" }), 1],
    ["an internal failure", failure(500, { status: "INTERNAL", message: "" }), 1],
    ["a wrong field", failure(400, { status: "INVALID_ARGUMENT", message: "" }), 1],
  ])("follows %s only if it can succeed", async (_, first, calls) => {
    answers = [first, success({ id: 1 })];
    await client()
      .usersAdd({})
      .catch(() => undefined);
    expect(sent).toHaveLength(calls);
  });

  it("waits as long as the service asks", async () => {
    vi.useFakeTimers();
    answers = [failure(429, { status: "RESOURCE_EXHAUSTED", message: "" }, { "retry-after": "7" }), success({ id: 1 })];
    const done = client().usersGet({});
    await vi.advanceTimersByTimeAsync(6_900);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(await done).toEqual({ id: 1 });
  });
});

describe("a call without a reply", () => {
  const refused = () => Promise.reject(new TypeError("fetch failed"));

  it("is repeated, and is UNAVAILABLE in the end", async () => {
    answers = [refused, success({ id: 1 })];
    expect(await client().usersGet({})).toEqual({ id: 1 });
    answers = [refused];
    await expect(client({ retries: 0 }).usersGet({})).rejects.toMatchObject({
      status: "UNAVAILABLE",
      httpStatus: 0,
      message: "The connection to https://api.example.com failed.",
    });
  });

  it.each([
    ["follows the signal", true],
    ["ignores the signal", false],
  ])("is DEADLINE_EXCEEDED after the time limit when `fetch` %s", async (_, isKind) => {
    const fetch = ({ signal }: Request) =>
      new Promise<Response>((_, reject) => isKind && signal.addEventListener("abort", () => reject(signal.reason)));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const error = client({ retries: 0, timeoutMs: 10, fetch }).usersGet({});
    const ended = expect(error).rejects.toMatchObject({ status: "DEADLINE_EXCEEDED", httpStatus: 0 });
    await vi.advanceTimersByTimeAsync(10);
    await ended;
  });

  it("ends with the reason of the caller's signal, also while it waits to be repeated", async () => {
    answers = [unavailable, success({ id: 1 })];
    const stop = new AbortController();
    const reason = new Error("Enough.");
    // The length of the wait is drawn just before it begins.
    vi.mocked(Math.random).mockImplementation(() => {
      setImmediate(() => stop.abort(reason));
      return 1;
    });
    await expect(client().usersGet({}, { signal: stop.signal })).rejects.toBe(reason);
    expect(sent).toHaveLength(1);
  });

  it("takes null for the options of a call, and says that a signal is none", async () => {
    answers = [() => Response.json({ result: { status: "success", data: {} } })];
    expect(await client().usersGet({}, null)).toEqual({});
    await expect(client().usersGet({}, { signal: {} })).rejects.toThrow(/AbortSignal/);
    expect(sent).toHaveLength(1);
  });

  it.each([null, 0, ""])("ends with the reason %j of a signal, and is not sent", async (reason) => {
    await expect(client().usersGet({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(sent).toEqual([]);
  });
});

describe("a list", () => {
  const pages = [
    { users: [1, 2], nextPageToken: "next" },
    { users: [], nextPageToken: "last" },
    { users: [3], nextPageToken: null },
  ];

  it("has all entries, through all pages, an empty one too", async () => {
    answers = pages.map(success);
    const found = await Array.fromAsync(client().usersGet.entries({ organizationId: "acme" }));
    expect(found).toEqual([1, 2, 3]);
    const tokens = await Promise.all(
      sent.map(async (request) => ((await request.json()) as { data: { pageToken?: string } }).data.pageToken),
    );
    expect(tokens).toEqual([undefined, "next", "last"]);
  });

  it.each([
    ["itself", ["a", "a"]],
    ["a former page", ["a", "b", "a"]],
  ])("ends with an error when a page names %s as the next one", async (_, tokens) => {
    answers = tokens.map((nextPageToken) => success({ users: [1], nextPageToken }));
    await expect(Array.fromAsync(client().usersGet.entries({}))).rejects.toMatchObject({ status: "INTERNAL" });
  });

  it.each([null, {}, { users: "none" }])("ends with an ApiError when a page is %j", async (page) => {
    answers = [success(page)];
    await expect(Array.fromAsync(client().usersGet.entries({}))).rejects.toMatchObject({ status: "INTERNAL" });
  });

  it("requests no page that is not used", async () => {
    answers = pages.map(success);
    for await (const page of client().usersGet.pages({})) {
      expect(page).toEqual(pages[0]);
      break;
    }
    expect(sent).toHaveLength(1);
  });
});

it("failedItems lists the failures of a bulk call with the ids that were sent", () => {
  const results = {
    a: { success: true as const, id: "a" },
    b: { success: false as const, id: "b", message: "Is wrong." },
  };
  expect(failedItems(results)).toEqual([{ success: false, id: "b", key: "b", message: "Is wrong." }]);
  expect(failedItems([{ success: true }, { success: false }])).toEqual([{ success: false, key: "1" }]);
});
