import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { egress } from "../../../lib/net/egress.ts";
import type { OutboundRequest } from "../../../lib/net/exchange.ts";
import { send } from "../../../lib/net/send.ts";
import { listen, listenRaw, toLocalhost } from "../../support/net/listen.ts";

const head = "HTTP/1.1 200 OK\r\n";

function get(port: number, more: Partial<OutboundRequest> = {}) {
  return send(
    { url: `http://a.example:${port}/`, method: "GET", timeoutMs: 60_000, maxBytes: 1_000, ...more },
    toLocalhost,
  );
}

describe("the size limit (too_large)", () => {
  const sized = (length: number) => listen((_request, response) => response.end("x".repeat(length)));

  test("allows a body of exactly maxBytes", async () => {
    const response = await get(await sized(1_000), { overflow: "truncate" });
    expect(response).toMatchObject({ truncated: false, body: { length: 1_000 } });
  });

  test("refuses one more byte, or truncates the body when the caller asks for it", async () => {
    const port = await sized(1_001);
    await expect(get(port)).rejects.toMatchObject({ kind: "too_large", message: "The response is too large." });
    expect(await get(port, { overflow: "truncate" })).toMatchObject({ truncated: true, body: { length: 1_000 } });
  });

  test("truncates an endless body, and closes its connection", async () => {
    const closed = Promise.withResolvers<void>();
    const port = await listenRaw((socket) => {
      socket.on("close", () => closed.resolve());
      socket.once("data", async () => {
        socket.write(`${head}\r\n`);
        while (!socket.destroyed) {
          socket.write("x".repeat(10_000));
          await setImmediate();
        }
      });
    });
    expect(await get(port, { overflow: "truncate" })).toMatchObject({ status: 200, truncated: true });
    await closed.promise;
    await expect(get(port)).rejects.toMatchObject({ kind: "too_large" });
  });

  test.each([
    ["one long header", `x-a: ${"a".repeat(20_000)}\r\n`],
    ["many short headers", "x-a: b\r\n".repeat(6_000)],
  ])("refuses %s", async (_what, headers) => {
    const port = await listenRaw((socket) => socket.once("data", () => socket.write(`${head}${headers}\r\n`)));
    await expect(get(port)).rejects.toMatchObject({ kind: "too_large" });
  });
});

describe("timeout", () => {
  const timeoutMs = 1_000;
  const end = () => void vi.advanceTimersByTime(timeoutMs);

  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  test("covers the DNS lookup", async () => {
    const stuck = egress("", () => {
      queueMicrotask(end);
      return new Promise(() => {});
    });
    const request = { url: "http://a.example/", method: "GET", timeoutMs, maxBytes: 1 } as const;
    await expect(send(request, stuck)).rejects.toMatchObject({ kind: "timeout" });
  });

  test("covers the TLS handshake", async () => {
    const url = `https://a.example:${await listenRaw((socket) => socket.once("data", end))}/`;
    await expect(get(0, { url, timeoutMs })).rejects.toMatchObject({ kind: "timeout" });
  });

  test("covers the wait for headers", async () => {
    await expect(get(await listenRaw((socket) => socket.once("data", end)), { timeoutMs })).rejects.toMatchObject({
      kind: "timeout",
    });
  });

  // The bytes follow one another quickly, so a limit on idle time would not end the request.
  test.each([
    ["headers", `${head}x-a: `],
    ["the body", `${head}\r\n`],
    ["interim responses", "HTTP/1.1 103 Early Hints\r\n\r\n"],
  ])("covers the slow arrival of %s", async (_what, start) => {
    const part = start.includes("103") ? start : "x";
    const port = await listenRaw(async (socket) => {
      for (let bytes = start; !socket.destroyed; bytes = part) {
        socket.write(bytes);
        vi.advanceTimersByTime(timeoutMs / 100);
        await setImmediate();
      }
    });
    await expect(get(port, { timeoutMs })).rejects.toMatchObject({ kind: "timeout" });
  });

  test("is the failure when the caller's signal aborts, before the request or during it", async () => {
    const controller = new AbortController();
    const port = await listenRaw(() => controller.abort(new Error("deadline of the call")));
    const failure = { kind: "timeout", cause: { message: "deadline of the call" } };
    await expect(get(port, { signal: controller.signal })).rejects.toMatchObject({ kind: "timeout" });
    await expect(get(port, { signal: controller.signal })).rejects.toMatchObject(failure);
  });
});
