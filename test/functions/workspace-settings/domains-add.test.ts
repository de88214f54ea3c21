import { afterEach, describe, expect, it, vi } from "vitest";
import { domainsAdd, handler } from "../../../functions/workspace-settings/domains-add.ts";
import { domainsGet } from "../../../functions/workspace-settings/domains-get.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, contextOf, eventOf, must, newWorkspace } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { storedOf } from "../../support/refusal.ts";
import { callSource, issuesOf, mocked } from "../../support/workspace.ts";

const many = (count: number, prefix = "d") => Array.from({ length: count }, (_, index) => `${prefix}${index}.com`);
const add = (as: Credentials, domains: unknown[]) => call(domainsAdd, { as, data: { domains } });
const read = async (as: Credentials) => (await must(domainsGet, { as, data: { pageSize: 100 } })).domains as string[];

afterEach(() => void vi.restoreAllMocks());

describe("OK", () => {
  it("stores and returns the canonical form of the domains, each once, in the given order", async () => {
    const as = await newWorkspace();
    const domains = ["https://www.b.com/x", "a.com:80", "B.com", "*.a.com", "münchen.de", "localhost", "10.0.0.1"];
    const domainsAdded = ["b.com", "a.com", "*.a.com", "xn--mnchen-3ya.de", "localhost", "10.0.0.1"];
    expect((await add(as, domains)).data).toEqual({ domainsAdded });
    expect(await read(as)).toEqual([...domainsAdded].sort());
  });

  it("accepts 100 domains in one call", async () => {
    const as = await newWorkspace();
    expect((await add(as, many(100))).data).toEqual({ domainsAdded: many(100) });
    expect(await read(as)).toHaveLength(100);
  });

  it("adds nothing when all domains exist, and says so", async () => {
    const as = await newWorkspace();
    await add(as, ["a.com"]);
    const before = await storedOf(as);
    const message = "The domains exist already: none was added.";
    expect((await add(as, ["a.com", "www.a.com"])).body).toEqual({
      result: { status: "success", message, data: { domainsAdded: [] } },
    });
    expect(await storedOf(as)).toEqual(before);
  });

  it("adds domains to the caller's workspace only", async () => {
    const [as, other] = [await newWorkspace(), await newWorkspace()];
    await add(as, ["a.com"]);
    expect((await add(other, ["a.com"])).data).toEqual({ domainsAdded: ["a.com"] });
  });
});

describe("INTERNAL", () => {
  it("is returned when some domains exist; the others are added, and both are listed", async () => {
    const as = await newWorkspace();
    await add(as, ["a.com", "b.com"]);
    const { error, status } = await add(as, ["c.com", "https://www.A.com/", "d.com", "b.com.", "c.com"]);
    expect(status).toBe(500);
    expect(error).toEqual({
      status: "INTERNAL",
      message: "New domains were added; existing ones were skipped.",
      details: { domainsAdded: ["c.com", "d.com"], skippedDomains: ["a.com", "b.com"] },
    });
    expect(await read(as)).toEqual(["a.com", "b.com", "c.com", "d.com"]);
  });

  it("is logged as a call without an error, since the contract states it", async () => {
    const as = await newWorkspace();
    await add(as, ["a.com"]);
    await add(as, ["a.com", "b.com"]);
    expect(logs().map(({ level, status, http }) => [level, status, http])).toEqual([
      ["info", "OK", 200],
      ["info", "INTERNAL", 500],
    ]);
  });

  it("is replayed under the same Idempotency-Key with the domains that the first call added", async () => {
    const as = await newWorkspace();
    await add(as, ["a.com"]);
    const send = () =>
      call(domainsAdd, { as, data: { domains: ["a.com", "b.com"] }, headers: { "idempotency-key": "key" } });
    const first = await send();
    expect(first.error).toMatchObject({
      status: "INTERNAL",
      details: { domainsAdded: ["b.com"], skippedDomains: ["a.com"] },
    });
    const before = await storedOf(as);
    expect(await send()).toMatchObject({ status: 500, body: first.body, headers: { "idempotent-replayed": "true" } });
    expect(await storedOf(as)).toEqual(before);
    expect(logs().map(({ level, status, http }) => [level, status, http])).toEqual([
      ["info", "OK", 200],
      ["info", "INTERNAL", 500],
      ["info", "REPLAYED", 500],
    ]);
  });

  it("lists exactly the domains that the call added, also in concurrent calls", async () => {
    const as = await newWorkspace();
    const replies = await Promise.all(Array.from({ length: 5 }, () => add(as, many(60))));
    const outcomes = replies.map(({ data, error }) => data ?? error?.details);
    expect(outcomes.flatMap(({ domainsAdded }) => domainsAdded).sort()).toEqual(many(60).sort());
    for (const { domainsAdded, skippedDomains } of outcomes.filter((each) => each.skippedDomains)) {
      expect([...domainsAdded, ...skippedDomains].sort()).toEqual(many(60).sort());
    }
  });
});

describe("INVALID_ARGUMENT", () => {
  it("lists every invalid entry, and stores none of the others", async () => {
    const as = await newWorkspace();
    const before = await storedOf(as);
    const domains = ["a.com", "https://user:secret@b.com", "*.*.c.com", "", "d.com", "a b.com", 7];
    const paths = [1, 2, 3, 5, 6].map((index) => `domains.${index}`);
    expect(await issuesOf(domainsAdd, as, { domains })).toEqual(paths);
    expect(await storedOf(as)).toEqual(before);
    expect(JSON.stringify((await add(as, domains)).error)).not.toContain("secret");
  });

  it("is returned for an empty list, more than 100 entries, and a value that is not a list", async () => {
    const as = await newWorkspace();
    for (const domains of [[], many(101), "a.com", undefined]) {
      expect(await issuesOf(domainsAdd, as, { domains })).toEqual(["domains"]);
    }
  });
});

describe("a lost response of a transaction", () => {
  it("does not report the new domains as existing", async () => {
    const tokens: string[] = [];
    const as = await newWorkspace();
    interceptStore(
      () => {},
      ({ constructor: { name }, input }) => {
        if (name !== "TransactWriteCommand") return;
        tokens.push(input.ClientRequestToken);
        if (tokens.length > 1) return;
        throw Object.assign(new Error("once more"), { name: "TransactionInProgressException" });
      },
    );
    const event = eventOf(domainsAdd, { as, data: { domains: ["a.com"] } });
    const reply = await handler(event as never, contextOf("domains-add") as never);
    expect(JSON.parse(reply.body).result.data).toEqual({ domainsAdded: ["a.com"] });
    expect(tokens).toHaveLength(2);
    expect(new Set(tokens).size).toBe(1);
  });
});

describe("AWS calls", () => {
  it("writes 30 domains in each transaction, after the read of the credentials", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, domainsAdd, { domains: many(61) });
    const [read, ...writes] = aws.calls();
    expect(read).toMatch(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+$/);
    expect(writes.map((each) => each.match(/Put W#w DOMAIN#\S+ if absent/g)?.length)).toEqual([30, 30, 1]);
    aws.restore();
  });
});
