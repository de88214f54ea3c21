// A workspace above its limit of calls, at the bundles of a read, of a write and of an endpoint with its own envelope.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { call, newWorkspace } from "../support/call.ts";
import { logs } from "../support/capture-logs.ts";
import { named } from "../support/contract/requests.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubEnv("WORKSPACE_CALLS_PER_SECOND", "5");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe.each(["users-get", "organizations-add", "users-data-get"])("%s", (name) => {
  const endpoint = named(name);

  it("is RESOURCE_EXHAUSTED with Retry-After above the limit, before the fields and after the credentials", async () => {
    const [as, other] = [await newWorkspace(), await newWorkspace()];
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) statuses.push((await call(endpoint, { as, data: {} })).status);
    expect(statuses).toEqual([...Array(11).fill(400), 429]);
    const { status, headers, error } = await call(endpoint, { as, data: {} });
    expect(status).toBe(429);
    expect(headers["retry-after"]).toBe("1");
    expect(error).toMatchObject({
      status: "RESOURCE_EXHAUSTED",
      message: "The workspace makes more than 5 calls a second, or too many run at once. Try again after 1 s.",
    });
    expect((await call(endpoint, { as: { ...as, authToken: "wrong" }, data: {} })).status).toBe(403);
    expect((await call(endpoint, { as: other, data: {} })).status).toBe(400);
    vi.setSystemTime(Date.now() + 1_000);
    expect((await call(endpoint, { as, data: {} })).status).toBe(400);
  });

  it("books its calls within one of them, and no other call has a further round trip", async () => {
    const as = await newWorkspace();
    for (let count = 0; count < 10; count++) await call(endpoint, { as, data: {} });
    const trips = logs().flatMap(({ message, roundTrips }) => (message === "call" ? [roundTrips] : []));
    // The first call reads the credentials. The tenth reads the count and adds to it.
    expect(trips.slice(-10)).toEqual([1, ...Array(8).fill(0), 2]);
  });
});
