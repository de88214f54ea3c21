// The endpoints as the stack deploys them, under AWS's runtime client and with their own roles.
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { dataOf, named } from "../support/contract/requests.ts";
import { rehearseCalls } from "./calls.ts";
import { Rehearsal, rehearsed } from "./rehearsal.ts";
import { passed, repeated } from "./report.ts";
import { namesIn, unusedHint, unusedInCalls, withoutReason } from "./unused.ts";
import { rehearseUserCalls } from "./user-calls.ts";

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await Rehearsal.open();
});
afterAll(() => rehearsal.close());

describe("with the role, the memory and the timeout of the template", () => {
  it.for(rehearsed)("$name replies to its example, and uses each of its grants", async (endpoint, { task }) => {
    const row = await rehearseCalls(rehearsal, endpoint);
    task.meta.rows = [row];
    expect(row).toMatchObject(passed);
    const reasons = namesIn(unusedInCalls, endpoint.name);
    expect(row.unusedGrants, unusedHint).toEqual(reasons);
    expect(withoutReason(row.unused, reasons), unusedHint).toEqual([]);
  });

  it.for(rehearsed.filter(({ users }) => users))(
    "$name answers a preflight without a read, a user's token, an allowed page, and a foreign page with a refusal",
    async (endpoint, { annotate }) => {
      const started = await rehearsal.start(endpoint.name);
      try {
        const allowed = { status: 200, message: undefined };
        const answers = await rehearseUserCalls(rehearsal, endpoint, started);
        const steps = Object.entries(answers).map(([step, { status }]) => `${step} ${status}`);
        await annotate(`${endpoint.name}, for users: ${steps.join(", ")}`);
        expect(answers).toMatchObject({
          preflight: { status: 204, readableBy: "*", used: [] },
          token: { ...allowed, readableBy: undefined },
          "allowed page": { ...allowed, readableBy: "https://app.example.com" },
          "foreign page": {
            status: 403,
            message: expect.stringContaining("domains/add"),
            readableBy: "https://foreign.example",
          },
        });
        expect([...started.session.denials]).toEqual([]);
      } finally {
        await started.process.end();
      }
    },
  );
});

it("no role has a permission twice: to remove one of them would change nothing", () => {
  const twice = rehearsal.deployed.functions.map((each) => [each.name, repeated(each)] as const);
  expect(twice.filter(([, names]) => names.length > 0)).toEqual([]);
});

it("the route of the template brings a compressed body, another version of the path, and any method", async () => {
  const endpoint = named("users-get");
  const as = await furnishedWorkspace(endpoint);
  const started = await rehearsal.start(endpoint.name);
  const data = dataOf(endpoint);
  const body = gzipSync(JSON.stringify({ data }));
  const statusOf = async (at: typeof endpoint, more: object) =>
    ((await rehearsal.call(at, started, { as, data, ...more })).result as { statusCode: number }).statusCode;
  try {
    expect(await statusOf(endpoint, { body, headers: { "content-encoding": "gzip" } })).toBe(200);
    expect(await statusOf({ ...endpoint, path: "/v1/users/get" }, {})).toBe(200);
    expect(await statusOf({ ...endpoint, path: "/v3/users/get" }, {})).toBe(404);
    expect(await statusOf(endpoint, { method: "DELETE" })).toBe(405);
  } finally {
    await started.process.end();
  }
});
