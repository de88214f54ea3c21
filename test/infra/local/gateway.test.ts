import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { lookHeader } from "../../../infra/console/server/look.ts";
import { createGateway, type ServedCall } from "../../../infra/local/gateway.ts";
import { type Listening, listen } from "../../../infra/local/listen.ts";
import { untilHolds } from "../../support/turns.ts";

const endpoints = [
  { name: "echo", path: "/v2/echo", timeoutSeconds: 10 },
  { name: "echo-key", path: "/.well-known/jwks/{apiKey}", timeoutSeconds: 10 },
  { name: "throws", path: "/v2/throws", timeoutSeconds: 10 },
  { name: "bytes", path: "/v2/bytes", timeoutSeconds: 10 },
  { name: "large", path: "/v2/large", timeoutSeconds: 10 },
  { name: "odd", path: "/v2/odd", timeoutSeconds: 10 },
  { name: "slow", path: "/v2/slow", timeoutSeconds: -20.95 },
  { name: "late", path: "/v2/late", timeoutSeconds: -0.99 },
  { name: "not-found", path: "/{proxy+}", timeoutSeconds: 10 },
] as const;

const thrown: unknown[] = [];
const served: ServedCall[] = [];
let gateway: Listening;

/** Each quote is two bytes in the reply that Lambda gets: together with the rest, the reply is at Lambda's limit. */
let largeBody = "";
const limit = 6_291_556 - JSON.stringify({ statusCode: 200, body: "" }).length;

const handlers: Record<string, (event: unknown, context: unknown) => Promise<unknown>> = {
  throws: async () => Promise.reject(new Error("secret detail")),
  bytes: async () => ({
    statusCode: 201,
    headers: { "content-type": "application/octet-stream" },
    body: Buffer.from([0, 255]).toString("base64"),
    isBase64Encoded: true,
  }),
  odd: async () => ({ statusCode: 200, headers: { "x-odd": "two\nlines" } }),
  slow: () => new Promise(() => {}),
  late: async (_, context) => {
    const { getRemainingTimeInMillis } = context as { getRemainingTimeInMillis(): number };
    await untilHolds(() => getRemainingTimeInMillis() < -10);
    return { statusCode: 504, body: "its own reply" };
  },
  large: async () => ({ statusCode: 200, body: largeBody }),
};

async function site({ url }: IncomingMessage, response: ServerResponse): Promise<boolean> {
  if (url !== "/of-the-site") return false;
  response.end("site");
  return true;
}

beforeAll(async () => {
  vi.stubEnv("SLOWNESS", "1");
  const load = async (name: string) => {
    const echo = async (event: unknown, context: unknown) => ({
      statusCode: 200,
      body: JSON.stringify({ name, event, context }),
    });
    return handlers[name] ?? echo;
  };
  gateway = await listen(
    createGateway({
      endpoints,
      load,
      site,
      onCall: (each) => served.push(each),
      onError: (each) => thrown.push(each),
    }),
    0,
  );
});
afterAll(() => {
  vi.unstubAllEnvs();
  return gateway.close();
});

test("a call says whether a page of the console only loads", async () => {
  const send = (headers: Record<string, string>) =>
    fetch(`${gateway.url}/v2/echo`, { method: "POST", headers, body: "{}" });
  const before = served.length;
  await send({ [lookHeader]: "1" });
  await send({});
  await untilHolds(() => served.length === before + 2);
  expect(served.slice(before).map(({ isLook }) => isLook)).toEqual([true, false]);
});

interface Echo {
  name: string;
  event: APIGatewayProxyEventV2;
  context: Record<string, unknown>;
}

async function echo(path: string, init: RequestInit = {}): Promise<Echo> {
  return (await fetch(gateway.url + path, init)).json() as Promise<Echo>;
}

describe("the event", () => {
  test("has the shape of payload format 2.0", async () => {
    const headers = { "Content-Type": "application/json", "X-Two": "a", "User-Agent": "tester" };
    const { name, event, context } = await echo("/v2/echo?x=1&x=2&y=%20", {
      method: "POST",
      headers,
      body: '{"a":"é"}',
    });
    expect(name).toBe("echo");
    expect(event).toMatchObject({
      version: "2.0",
      routeKey: "ANY /{version}/echo",
      rawPath: "/v2/echo",
      rawQueryString: "x=1&x=2&y=%20",
      queryStringParameters: { x: "1,2", y: " " },
      headers: { "content-type": "application/json", "x-two": "a", host: gateway.url.slice("http://".length) },
      body: '{"a":"é"}',
      isBase64Encoded: false,
      requestContext: {
        accountId: "local",
        apiId: "local",
        stage: "$default",
        domainName: gateway.url.slice("http://".length),
        http: { method: "POST", path: "/v2/echo", protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "tester" },
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
        requestId: expect.any(String),
      },
    });
    expect(event.pathParameters).toEqual({ version: "v2" });
    expect(context).toMatchObject({ functionName: "echo", awsRequestId: expect.any(String) });
  });

  test("has the method and the headers of a browser's preflight", async () => {
    const headers = { origin: "http://localhost:5173", "access-control-request-method": "POST" };
    const { name, event } = await echo("/v2/echo", { method: "OPTIONS", headers });
    expect(name).toBe("echo");
    expect(event).toMatchObject({ headers, requestContext: { http: { method: "OPTIONS" } } });
  });

  test("has the joined values of a repeated header", async () => {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    socket.write("GET /v2/echo HTTP/1.1\r\nHost: h\r\nX-Two: a\r\nx-two: b\r\nConnection: close\r\n\r\n");
    const reply = await text(socket);
    expect(reply).toContain('"x-two":"a,b"');
  });

  test.each([
    ["gzip", { "content-type": "application/json", "content-encoding": "gzip" }, gzipSync("{}")],
    ["a type that is not text", { "content-type": "application/octet-stream" }, Buffer.from([0, 255])],
  ])("has the body in base64 for %s", async (_, headers, body) => {
    const { event } = await echo("/v2/echo", { method: "POST", headers, body });
    expect(event.isBase64Encoded).toBe(true);
    expect(Buffer.from(event.body ?? "", "base64")).toEqual(body);
  });

  test("has no body when the request has none", async () => {
    const { event } = await echo("/v2/echo");
    expect(event).not.toHaveProperty("body");
    expect(event.isBase64Encoded).toBe(false);
  });
});

describe("a route", () => {
  test("has decoded path parameters of one segment", async () => {
    const { name, event } = await echo("/.well-known/jwks/a%2Fb%20c");
    expect(name).toBe("echo-key");
    expect(event.routeKey).toBe("ANY /.well-known/jwks/{apiKey}");
    expect(event.pathParameters).toEqual({ apiKey: "a/b c" });
    expect((await echo("/.well-known/jwks/a/b")).name).toBe("not-found");
  });

  test.each(["v1", "v2", "v3"])("serves every version of a path: %s", async (version) => {
    const { name, event } = await echo(`/${version}/echo`);
    expect(name).toBe("echo");
    expect(event.routeKey).toBe("ANY /{version}/echo");
    expect(event.pathParameters).toEqual({ version });
  });

  test.each(["/", "/v2/other", "/v2/echo/", "/.well-known/jwks/", "/{proxy+}", "/.well-known/jwks"])(
    "is the fallback for the unknown path %s",
    async (path) => {
      const { name, event } = await echo(path);
      expect(name).toBe("not-found");
      expect(event.routeKey).toBe("$default");
    },
  );

  test("of the site does not reach a function", async () => {
    expect(await (await fetch(`${gateway.url}/of-the-site`)).text()).toBe("site");
    expect((await echo("/elsewhere")).name).toBe("not-found");
  });

  test("accepts any method", async () => {
    expect((await echo("/v2/echo", { method: "DELETE" })).name).toBe("echo");
  });
});

describe("a response", () => {
  test("has a decoded body when the function returns base64", async () => {
    const response = await fetch(`${gateway.url}/v2/bytes`);
    expect(response.status).toBe(201);
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255]);
  });

  test.each(["throws", "odd", "slow"])("is a 500 without the reason when the function fails: %s", async (name) => {
    const response = await fetch(`${gateway.url}/v2/${name}`);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: "Internal Server Error" });
    expect(thrown.splice(0)).toHaveLength(1);
  });

  test("is the function's own, if the machine is too busy to end it in its time", async () => {
    const response = await fetch(`${gateway.url}/v2/late`);
    expect([response.status, await response.text()]).toEqual([504, "its own reply"]);
  });

  test("is a 500 when the function's reply is larger than Lambda accepts, with its escapes", async () => {
    largeBody = '"'.repeat(limit / 2);
    expect((await fetch(`${gateway.url}/v2/large`)).status).toBe(200);
    largeBody += "x";
    expect((await fetch(`${gateway.url}/v2/large`)).status).toBe(500);
    expect(thrown.splice(0)).toEqual([new Error("The reply has 6291557 bytes as JSON, and Lambda accepts 6291556.")]);
  });

  const tooLong = Buffer.alloc(10 * 1_024 * 1_024 + 1, "x");
  test.each([
    ["with a declared length", tooLong],
    ["without a declared length", new Blob([tooLong]).stream()],
  ])("is a 413 to a body over 10 MB %s", async (_, body) => {
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    const response = await fetch(`${gateway.url}/v2/echo`, init);
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ message: "Request Too Long" });
  });
});
