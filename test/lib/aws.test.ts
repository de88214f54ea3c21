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
  it("is asked again on a new connection when it does not answer within three seconds", async () => {
    let received = 0;
    const port = await listenRaw((socket) => void socket.once("data", () => received++));
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, `http://127.0.0.1:${port}`);
    request().catch(() => {});
    await until(() => received === 1);
    await vi.advanceTimersByTimeAsync(2_999);
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    expect(received).toBe(1);
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
