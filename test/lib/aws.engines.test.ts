import { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listenRaw } from "../support/net/listen.ts";

/** Makes one request with a new client. */
const requests: Record<string, () => Promise<unknown>> = {
  DYNAMODB: async () => (await import("../../lib/dynamodb/table.ts")).get({ pk: "p", sk: "s" }),
  KMS: async () => (await import("../../lib/secrets.ts")).seal("text", { workspace: "w", purpose: "signing-key" }),
  S3: async () => (await import("../../lib/store/blob.ts")).get({ workspace: "w" }, "a"),
};

beforeEach(() => {
  vi.stubEnv("SLOWNESS", "1");
  vi.resetModules();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Until the condition holds, lets time pass if `stepMs` is given, and otherwise only waits for I/O. */
async function until(holds: () => boolean, stepMs?: number): Promise<void> {
  while (!holds()) {
    if (stepMs) await vi.advanceTimersByTimeAsync(stepMs);
    await setImmediate();
  }
}

describe.each(Object.entries(requests))("%s", (service, request) => {
  it("is asked again on a new connection when it does not answer within 1.5 seconds", async () => {
    let received = 0;
    const port = await listenRaw((socket) => void socket.once("data", () => received++));
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, `http://127.0.0.1:${port}`);
    const limits = vi.spyOn(Socket.prototype, "setTimeout");
    request().catch(() => {});
    await until(() => received === 1);
    const limited = limits.mock.calls.flatMap(([ms], index) => (ms === 1_500 ? [limits.mock.contexts[index]] : []));
    expect(limited).toHaveLength(1);
    (limited[0] as Socket).emit("timeout");
    await until(() => received === 2, 1);
  });

  it("is asked again when no connection is made within a second", async () => {
    let connections = 0;
    vi.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket, ...given: unknown[]) {
      const [options] = given.flat() as { host?: string }[];
      if (options?.host?.endsWith("never.example")) connections++;
      return Object.assign(this, { connecting: true });
    });
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, "http://never.example");
    request().catch(() => {});
    await until(() => connections === 1);
    await vi.advanceTimersByTimeAsync(999);
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    expect(connections).toBe(1);
    await until(() => connections === 2, 1);
  });
});

it("requests wait for a connection as long as their call lasts, and none of them fails", async () => {
  // A request that waits for its reply for longer than its limit would be sent again.
  vi.stubEnv("SLOWNESS", "60");
  const held = new Set<Socket>();
  const port = await listenRaw((socket) => void socket.on("data", () => void held.add(socket)));
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${port}`);
  const { getEventually } = await import("../../lib/dynamodb/table.ts");
  const reads = Array.from({ length: 1_000 }, (_, index) => getEventually({ pk: "p", sk: String(index) }));
  const ended = Promise.allSettled(reads);
  for (let answered = 0; answered < reads.length; answered += 50) {
    await until(() => held.size === 50);
    await vi.advanceTimersByTimeAsync(10_000);
    const reply = "HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: 2\r\n\r\n{}";
    for (const socket of held) socket.write(reply);
    held.clear();
  }
  expect((await ended).filter(({ status }) => status === "rejected")).toEqual([]);
});

it("a connection that was made during a long computation is used", async () => {
  let connections = 0;
  const port = await listenRaw((socket) => {
    connections++;
    socket.on("data", () => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"));
  });
  vi.stubEnv("AWS_ENDPOINT_URL_DYNAMODB", `http://127.0.0.1:${port}`);
  const { getEventually } = await import("../../lib/dynamodb/table.ts");
  const dialed = Promise.withResolvers<void>();
  const connect = Socket.prototype.connect as (...given: unknown[]) => Socket;
  vi.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket, ...given: unknown[]) {
    dialed.resolve();
    return connect.apply(this, given);
  });
  const read = getEventually({ pk: "p", sk: "s" });
  await dialed.promise;
  // No turn of the event loop: the connection is made by the system, and not noticed yet.
  vi.advanceTimersByTime(1_000);
  await read;
  expect(connections).toBe(1);
});
