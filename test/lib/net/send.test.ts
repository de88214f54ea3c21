import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Egress, egress } from "../../../lib/net/egress.ts";
import type { OutboundRequest } from "../../../lib/net/exchange.ts";
import { OutboundError } from "../../../lib/net/outbound-error.ts";
import { send } from "../../../lib/net/send.ts";
import { cert } from "../../support/net/certificate.ts";
import { listen, listenAtAll, listenRaw, listenTls, resolver, toLocalhost } from "../../support/net/listen.ts";
import { refusedRanges } from "../../support/net/ranges.ts";

function post(url: string, through: Egress = toLocalhost, more: Partial<OutboundRequest> = {}) {
  return send({ url, method: "POST", body: "{}", timeoutMs: 60_000, maxBytes: 1_000, ...more }, through);
}

/** The error of a request. Checks that the error's public text has no address. */
async function failure(response: Promise<unknown>): Promise<OutboundError> {
  const error = await response.then(
    () => expect.fail("the request succeeded"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof OutboundError)) throw error;
  expect(`${error} ${JSON.stringify(error)}`).not.toMatch(/\d+\.\d+\.\d+|::|localhost|example/);
  return error;
}

test("onSent is called once for a request that is sent", async () => {
  const events: string[] = [];
  const port = await listen(async (request, response) => {
    await request.toArray();
    events.push("received");
    response.end();
  });
  await post(`http://hooks.example:${port}/`, toLocalhost, { onSent: () => void events.push("sent") });
  expect(events.toSorted()).toEqual(["received", "sent"]);
});

describe("a response", () => {
  test("is returned whole, and the server receives the whole request with the name as its host", async () => {
    const port = await listen(async (request, response) => {
      const body = (await request.toArray()).join("");
      const { method, url, headers } = request;
      response
        .writeHead(201, { "content-type": "application/json", "x-a": "b" })
        .end(JSON.stringify({ method, url, headers, body }));
    });
    const response = await post(`http://hooks.example:${port}/a%20b?c=d#secret`, toLocalhost, {
      headers: { "X-Signature": "v1" },
      body: "é",
    });
    expect(response).toMatchObject({ status: 201, headers: { "x-a": "b" }, truncated: false });
    expect(JSON.parse(response.body.toString())).toEqual({
      method: "POST",
      url: "/a%20b?c=d",
      body: "é",
      headers: {
        "x-signature": "v1",
        host: `hooks.example:${port}`,
        "accept-encoding": "identity",
        "content-length": "2",
        connection: "close",
      },
    });
  });

  test.each([301, 302, 307, 308])("with status %i is returned, and its redirect is not followed", async (status) => {
    const requested: string[] = [];
    const port = await listen((request, response) => {
      requested.push(request.url ?? "");
      response.writeHead(status, { location: "/elsewhere" }).end();
    });
    const response = await post(`http://a.example:${port}/here`);
    expect(response).toMatchObject({ status, headers: { location: "/elsewhere" } });
    expect(requested).toEqual(["/here"]);
  });

  test("can have an error status, or no body", async () => {
    const port = await listen((request, response) => response.writeHead(request.url === "/" ? 500 : 204).end());
    expect(await post(`http://a.example:${port}/`)).toMatchObject({ status: 500 });
    const empty = await post(`http://a.example:${port}/empty`, toLocalhost, { method: "GET", body: "" });
    expect(empty).toMatchObject({ status: 204, body: Buffer.alloc(0) });
  });

  test("comes from the address to which the system resolves the name", async () => {
    const port = await listen((_request, response) => response.end("here"));
    expect((await post(`http://localhost:${port}/`, egress("127.0.0.0/8"))).body.toString()).toBe("here");
  });

  test("is not decompressed", async () => {
    const port = await listen((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("zip"),
    );
    expect((await post(`http://a.example:${port}/`)).body.toString()).toBe("zip");
  });
});

describe("refused_address", () => {
  const names = Object.entries(refusedRanges).filter(([range]) => range !== "no address at all");

  test.each(names)("is the failure for a name with addresses of the range: %s", async (_range, addresses) => {
    for (const address of addresses) {
      const { resolve } = resolver([address]);
      expect(await failure(post("https://hooks.example/", egress("", resolve)))).toMatchObject({
        kind: "refused_address",
      });
    }
  });

  test.each(["http://127.0.0.1/", "http://2130706433/", "http://0177.1/", "http://[::1]/", "http://localhost/"])(
    "is the failure for %s, without a DNS lookup",
    async (url) => {
      const { resolve, names } = resolver(["8.8.8.8"]);
      expect(await failure(post(url, egress("", resolve)))).toMatchObject({ kind: "refused_address" });
      expect(names).toEqual([]);
    },
  );

  test("is the failure when the resolver returns something other than addresses", async () => {
    const { resolve } = resolver(["hooks.example", ""]);
    expect(await failure(post("http://hooks.example/", egress("", resolve)))).toMatchObject({
      kind: "refused_address",
    });
  });
});

describe("the connection goes to the checked address", () => {
  test("without a second lookup, which could return another address", async () => {
    const port = await listenAtAll({
      "127.0.0.1": (_request, response) => response.end("checked"),
      "127.0.0.2": (_request, response) => response.end("rebound"),
    });
    const { resolve, names } = resolver(["127.0.0.1"], ["127.0.0.2"]);
    const through = egress("127.0.0.1/32", resolve);
    expect((await post(`http://rebind.example:${port}/`, through)).body.toString()).toBe("checked");
    expect(names).toEqual(["rebind.example"]);
    // The connection is not kept, so the next request looks up and checks the name again.
    expect(await failure(post(`http://rebind.example:${port}/`, through))).toMatchObject({ kind: "refused_address" });
  });

  test("when the name also has refused addresses, in any order", async () => {
    const port = await listenAtAll({
      "127.0.0.1": (_request, response) => response.end("allowed"),
      "127.0.0.2": (_request, response) => response.end("refused"),
    });
    const { resolve } = resolver(["127.0.0.2", "::1", "127.0.0.1"]);
    expect((await post(`http://both.example:${port}/`, egress("127.0.0.1/32", resolve))).body.toString()).toBe(
      "allowed",
    );
  });

  test("when the first of several allowed addresses does not respond", async () => {
    const port = await listen((_request, response) => response.end("second"), "127.0.0.2");
    const through = egress("127.0.0.0/8", resolver(["127.0.0.1", "127.0.0.2"]).resolve);
    expect((await post(`http://two.example:${port}/`, through)).body.toString()).toBe("second");
  });

  test("when the caller's headers name another host", async () => {
    const port = await listen((request, response) => response.end(request.headers.host));
    const headers = { Host: "internal", "Transfer-Encoding": "chunked", Connection: "upgrade", Expect: "100-continue" };
    expect((await post(`http://a.example:${port}/`, toLocalhost, { headers })).body.toString()).toBe(
      `a.example:${port}`,
    );
  });

  test("over TLS, with the name as SNI", async () => {
    let hello = "";
    const port = await listenRaw((socket) =>
      socket.once("data", (bytes) => {
        hello = bytes.toString("latin1");
        socket.end("HTTP/1.1 200 OK\r\n\r\n");
      }),
    );
    expect(await failure(post(`https://hooks.example:${port}/`))).toMatchObject({ kind: "tls" });
    expect(hello).toContain("hooks.example");
  });

  test("over TLS, where the certificate must be valid for the name", async () => {
    const trusted = getCACertificates();
    onTestFinished(() => setDefaultCACertificates(trusted));
    const port = await listenTls((_request, response) => response.end("private"));
    expect(await failure(post(`https://hooks.example:${port}/`))).toMatchObject({ kind: "tls" });
    setDefaultCACertificates([cert]);
    expect((await post(`https://hooks.example:${port}/`)).body.toString()).toBe("private");
    const closing = await listenTls((_request, response) => response.destroy());
    expect(await failure(post(`https://hooks.example:${closing}/`))).toMatchObject({ kind: "reset" });
    const headers = { host: "hooks.example" };
    for (const host of ["other.example", "127.0.0.1"]) {
      const response = post(`https://${host}:${port}/`, toLocalhost, { headers });
      expect(await failure(response)).toMatchObject({ kind: "tls" });
    }
  });
});

describe("other failures", () => {
  test.each(["ftp://a.example/", "http://user:pass@a.example/", "nonsense"])("bad_url: %s", async (url) => {
    expect(await failure(post(url))).toMatchObject({ kind: "bad_url" });
  });

  test.each([{ "x-a": "line\r\nbreak" }, { "x b": "" }, { "x-c": "\u{1F511}" }])("bad_header: %j", async (headers) => {
    expect(await failure(post("http://a.example/", toLocalhost, { headers }))).toMatchObject({ kind: "bad_header" });
  });

  test("dns: an unknown name, or one without addresses", async () => {
    const unknown = egress("", () => Promise.reject(new Error("getaddrinfo ENOTFOUND hooks.example")));
    expect(await failure(post("http://hooks.example/", unknown))).toMatchObject({ kind: "dns" });
    expect(await failure(post("http://hooks.example/", egress("", resolver([]).resolve)))).toMatchObject({
      kind: "dns",
    });
  });

  test("dns: a name that the system's resolver refuses", async () => {
    // A URL cannot have this name, which no resolver asks the network for.
    const { resolve } = egress("");
    const refused = egress("", () => resolve(`${"a".repeat(64)}.example`));
    expect(await failure(post("http://hooks.example/", refused))).toMatchObject({ kind: "dns" });
  });

  test("connect: no server listens", async () => {
    expect(await failure(post("http://a.example:1/"))).toMatchObject({ kind: "connect" });
  });

  test.each([
    ["before the first byte", ""],
    ["within the headers", "HTTP/1.1 200 OK\r\nx-a: b"],
    ["within the body", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"],
    ["after a response that is not HTTP", "220 smtp.example ESMTP\r\n"],
    ["after a switch of the protocol", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"],
  ])("reset: the connection ends %s", async (_when, bytes) => {
    const port = await listenRaw((socket) => socket.once("data", () => socket.end(bytes)));
    expect(await failure(post(`http://a.example:${port}/`))).toMatchObject({ kind: "reset" });
  });
});
