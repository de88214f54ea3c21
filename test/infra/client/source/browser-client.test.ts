import { beforeEach, describe, expect, it, vi } from "vitest";
import { makeBrowserClient } from "../../../../infra/client/source/browser-client.ts";
import { livePage } from "../../../support/client/live-page.ts";
import { userToken } from "../../../support/client/user-token.ts";
import { turns } from "../../../support/turns.ts";

const table = "permissionsGet auth/;commentsAdd  w;presenceGet";
const document = { organizationId: "acme", documentId: "plan" };

// biome-ignore lint/suspicious/noExplicitAny: the types of the functions are generated
type AnyClient = any;
type Answer = (request: Request) => Response | Promise<Response>;

const sent: Request[] = [];
let answers: Answer[] = [];
let nowMs = 0;
/** The tokens that `getToken` resolves to, or its error. */
let tokens: unknown[] = [];
const getToken = vi.fn(async () => {
  const token = tokens.length > 1 ? tokens.shift() : tokens[0];
  if (token instanceof Error) throw token;
  return token as string;
});

const [first, second, third] = [1_000, 1_800, 2_600].map((iat) => userToken("zoë", { iat, exp: iat + 1_000 }));

beforeEach(() => {
  sent.length = 0;
  answers = [];
  nowMs = 5;
  tokens = [first, second, third];
  getToken.mockClear();
  vi.spyOn(Math, "random").mockReturnValue(0);
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  vi.stubGlobal("navigator", undefined);
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  };
});

const client = (more: object = {}): AnyClient =>
  makeBrowserClient(table, {
    url: "https://api.example.com",
    getToken,
    fetch: async (request) => {
      sent.push(request);
      return (answers.shift() ?? success)(request);
    },
    ...more,
  });

const success: Answer = () => Response.json({ result: { status: "success", data: {} } });
const failure =
  (http: number, error: object, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json(
      { error: { message: "No.", ...error } },
      { status: http, headers: { "x-request-id": "r1", ...headers } },
    );
const refused = failure(401, { status: "UNAUTHENTICATED" });
const notOpened = failure(400, { status: "FAILED_PRECONDITION", details: { reason: "OPEN_DOCUMENT_FIRST" } });
const bearers = () => sent.map(({ headers }) => headers.get("authorization")?.slice("Bearer ".length));
const keys = () => sent.map(({ headers }) => headers.get("idempotency-key"));
const paths = () => sent.map(({ url }) => new URL(url).pathname);

describe("a call", () => {
  it("sends the user's token, and no cookie and no key", async () => {
    await client().presenceGet(document);
    const [request] = sent as [Request];
    expect(Object.fromEntries(request.headers)).toEqual({
      "content-type": "application/json",
      authorization: `Bearer ${first}`,
    });
    expect([request.url, request.credentials]).toEqual(["https://api.example.com/v2/presence/get", "omit"]);
    expect(await request.json()).toEqual({ data: document });
  });

  it("is repeated with its idempotency key, and waits longer than the service asks by a random time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    vi.mocked(Math.random).mockReturnValue(0.5);
    answers = [failure(429, { status: "RESOURCE_EXHAUSTED" }, { "retry-after": "7" }), success];
    const done = client().commentsAdd(document);
    await vi.advanceTimersByTimeAsync(10_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await done).toEqual({});
    expect(keys()).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys()[0]]);
  });

  it("follows no redirect, which a browser does not show", async () => {
    answers = [() => Object.defineProperty(new Response(null), "status", { value: 0 })];
    await expect(client().commentsAdd(document)).rejects.toMatchObject({ status: "INTERNAL", httpStatus: 0 });
    expect(sent).toHaveLength(1);
  });
});

describe("the token", () => {
  it("is asked for once by calls at the same time, and not by a client without calls", async () => {
    const one = client();
    expect(getToken).not.toHaveBeenCalled();
    await Promise.all([one.presenceGet(document), one.presenceGet(document)]);
    await one.presenceGet(document);
    expect(getToken).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(one) + Object.keys(one)).not.toContain(first);
  });

  it("is renewed beside a call after 80 % of its life since its arrival, whatever the page's clock says", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 9e12 });
    const one = client();
    await one.presenceGet(document);
    for (const ms of [800_004, 800_005, 800_006]) {
      nowMs = ms;
      await one.presenceGet(document);
      await turns();
    }
    expect(bearers()).toEqual([first, first, first, second]);
    nowMs = 800_005 + 800_000;
    await one.presenceGet(document);
    expect(getToken).toHaveBeenCalledTimes(3);
  });

  it("is awaited by a call after its end", async () => {
    const one = client();
    await one.presenceGet(document);
    nowMs += 1_000_000;
    await one.presenceGet(document);
    expect(bearers()).toEqual([first, second]);
  });

  it("is used to its end while none can be had, which is asked for ever less often than calls come", async () => {
    const one = client();
    const offline = new Error("offline");
    tokens = [first, offline];
    await one.presenceGet(document);
    for (const ms of [800_005, 800_006, 900_004, 900_006, 900_007]) {
      nowMs = ms;
      await one.presenceGet(document);
      await turns();
    }
    expect(new Set(bearers())).toEqual(new Set([first]));
    expect(getToken).toHaveBeenCalledTimes(3);
    nowMs = 1_000_005;
    await expect(one.presenceGet(document)).rejects.toMatchObject({ status: "UNAUTHENTICATED", cause: offline });
    tokens = [second];
    expect(await one.presenceGet(document)).toEqual({});
  });

  it("is renewed once when the service refuses it, with the call's idempotency key", async () => {
    answers = [refused, success];
    expect(await client({ retries: 1 }).commentsAdd(document)).toEqual({});
    expect(bearers()).toEqual([first, second]);
    expect(keys()).toEqual([expect.stringMatching(/./), keys()[0]]);
  });

  it("is renewed once in a call, however often it is refused", async () => {
    answers = [failure(503, { status: "UNAVAILABLE" }), refused, failure(503, { status: "UNAVAILABLE" }), refused];
    await expect(client().commentsAdd(document)).rejects.toMatchObject({ status: "UNAUTHENTICATED", httpStatus: 401 });
    expect(bearers()).toEqual([first, first, second, second]);
    expect(getToken).toHaveBeenCalledTimes(2);
  });

  it("is renewed once for all calls whose same token is refused", async () => {
    answers = [refused, refused, refused];
    const one = client();
    await Promise.all([1, 2, 3].map(() => one.presenceGet(document)));
    expect(bearers()).toEqual([first, first, first, second, second, second]);
    expect(getToken).toHaveBeenCalledTimes(2);
  });

  it("is not renewed for another failure", async () => {
    answers = [failure(403, { status: "PERMISSION_DENIED" })];
    await expect(client().presenceGet(document)).rejects.toMatchObject({ status: "PERMISSION_DENIED" });
    expect(getToken).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["nothing", undefined],
    ["the whole reply", { token: first }],
    ["other text", "secret\r\nx: y"],
    ["a token without a user", userToken("", { sub: 5 })],
    ["a token without an end", userToken("zoë", { exp: undefined })],
    ["a token without claims", "a.b.c"],
  ])("must be one: %s is refused, and not shown", async (_, token) => {
    tokens = [token];
    const error = await client()
      .presenceGet(document)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: "UNAUTHENTICATED", httpStatus: 0 });
    expect(String(error)).toContain("getToken must resolve to a user token");
    expect(String(error)).not.toContain("secret");
    expect([sent.length, getToken.mock.calls.length]).toEqual([0, 1]);
  });

  it.each([{ sub: "bob" }, { aud: "ws2" }])("of another user %j is refused: a call keeps its user", async (other) => {
    tokens = [first, userToken("zoë", other)];
    answers = [refused];
    await expect(client().commentsAdd(document)).rejects.toThrow("Make a client for each user.");
    expect(sent).toHaveLength(1);
  });

  it("that does not come ends its call after the time limit, and is asked for again", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    getToken.mockImplementationOnce(() => new Promise(() => undefined));
    const one = client({ timeoutMs: 50, retries: 0 });
    const ended = expect(one.presenceGet(document)).rejects.toMatchObject({ status: "DEADLINE_EXCEEDED" });
    await vi.advanceTimersByTimeAsync(50);
    await ended;
    expect(await one.presenceGet(document)).toEqual({});
  });

  it("is still awaited by others when the signal of one call ends it", async () => {
    const stop = new AbortController();
    const { promise, resolve } = Promise.withResolvers<string>();
    getToken.mockImplementationOnce(() => promise);
    const one = client();
    const [ended, other] = [one.presenceGet(document, { signal: stop.signal }), one.presenceGet(document)];
    stop.abort("enough");
    await expect(ended).rejects.toBe("enough");
    resolve(first as string);
    expect(await other).toEqual({});
    expect(getToken).toHaveBeenCalledTimes(1);
  });
});

describe("a document that must be opened first", () => {
  it("is opened once for all calls, which are then repeated with the same key", async () => {
    answers = [notOpened, notOpened];
    const one = client();
    await Promise.all([one.commentsAdd(document), one.presenceGet(document)]);
    expect(paths().sort()).toEqual([
      "/v2/auth/permissions/get",
      ...["/v2/comments/add", "/v2/comments/add", "/v2/presence/get", "/v2/presence/get"],
    ]);
    const opened = sent.find(({ url }) => url.endsWith("permissions/get"));
    const data = { organizationId: "acme", userIds: ["zoë"], documentIds: ["plan"] };
    expect(await opened?.json()).toEqual({ data });
    expect(new Set(keys().filter(Boolean)).size).toBe(1);
  });

  it("is opened again by a later call", async () => {
    const one = client();
    for (let call = 0; call < 2; call++) {
      answers = [notOpened];
      await one.presenceGet(document);
    }
    expect(paths().filter((path) => path.endsWith("permissions/get"))).toHaveLength(2);
  });

  it("is opened once in a call, which fails when that did not help", async () => {
    answers = [notOpened, success, notOpened];
    await expect(client().presenceGet(document)).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    expect(sent).toHaveLength(3);
  });

  it("fails the call when it cannot be opened", async () => {
    answers = [notOpened, failure(403, { status: "PERMISSION_DENIED" })];
    await expect(client().presenceGet(document)).rejects.toMatchObject({ status: "PERMISSION_DENIED" });
    expect(sent).toHaveLength(2);
  });

  it.each([
    ["another reason", document, failure(400, { status: "FAILED_PRECONDITION", details: { reason: "OFF" } })],
    ["no reason", document, failure(400, { status: "FAILED_PRECONDITION" })],
    ["no document", {}, notOpened],
  ])("is not opened for %s", async (_, data, answer) => {
    answers = [answer];
    await expect(client().presenceGet(data)).rejects.toMatchObject({ status: "FAILED_PRECONDITION" });
    expect(sent).toHaveLength(1);
  });

  it("is opened after the token was renewed, in the same call", async () => {
    answers = [refused, notOpened];
    await client().commentsAdd(document);
    expect(bearers()).toEqual([first, second, second, second]);
  });
});

it.each([
  [{ getToken: undefined }, "getToken must be a function."],
  [{ getToken: first }, "getToken must be a function."],
  [{ url: "http://api.example.com" }, "url must begin with https://"],
  [{ retries: -1 }, "retries must be a whole number"],
])("refuses %j", (options, message) => {
  expect(() => client(options)).toThrow(message);
});

describe("what is live", () => {
  const rows =
    "liveOpen  w;liveClose  w;documentsDataGet organizations/  items;presenceGet   users;notificationsGet   notifications";
  const page = () => livePage();
  const live = ({ clock, engine }: ReturnType<typeof page>): AnyClient =>
    makeBrowserClient(
      rows,
      {
        url: "https://api.example.com",
        getToken,
        async fetch(request) {
          sent.push(request);
          const { data } = await request.clone().json();
          const channels = Object.fromEntries(
            ["document", "awareness", "user"].map((each) => [
              each,
              { now: `/${each}/${data.documentId}0`, next: `/${each}/${data.documentId}1` },
            ]),
          );
          const opened = {
            url: "wss://a.example",
            host: "a",
            ticket: "t",
            renewSeconds: 120,
            seq: 0,
            role: "viewer",
            channels,
          };
          const empty = { items: [], users: [], notifications: [], nextPageToken: null };
          return Response.json({ result: { status: "success", data: { ...opened, ...empty } } });
        },
      },
      clock.surroundings(engine.connect),
    );

  it("is the same for all who ask for it, and shares one connection", async () => {
    const given = page();
    const one = live(given);
    expect(one.document(document)).toBe(one.document({ ...document }));
    expect(one.inbox({ organizationId: "acme" })).not.toBe(one.inbox({ organizationId: "other" }));
    for (const each of [one.document(document), one.inbox(document)]) each.subscribe(() => undefined);
    await given.clock.pass(0);
    await turns();
    expect(one.document(document).getSnapshot()).toMatchObject({
      status: { state: "live" },
      role: "viewer",
      comments: [],
    });
    expect(one.inbox(document).getSnapshot()).toMatchObject({ status: { state: "live" } });
    expect(given.engine.sockets).toHaveLength(1);
  });

  it("opens without an idempotency key, and closes by a call that outlives the page", async () => {
    const given = page();
    live(given)
      .document(document)
      .subscribe(() => undefined);
    await given.clock.pass(0);
    await turns();
    await given.clock.change("left");
    await turns();
    const [open, close] = ["open", "close"].map((each) => sent.find(({ url }) => url.endsWith(`/v2/live/${each}`)));
    expect([open, close].map((each) => each?.headers.get("idempotency-key"))).toEqual([null, null]);
    expect([open?.keepalive, close?.keepalive]).toEqual([false, true]);
    expect(await close?.json()).toEqual({ data: document });
  });

  it("takes a further connection before one has 100 subscriptions", async () => {
    const given = page();
    const one = live(given);
    for (let index = 0; index < 25; index++) {
      one.document({ organizationId: "acme", documentId: `d${index}` }).subscribe({ status: () => undefined });
      await turns();
    }
    expect(given.engine.sockets.map(({ subscribed }) => subscribed.size)).toEqual([84, 16]);
  });
});
