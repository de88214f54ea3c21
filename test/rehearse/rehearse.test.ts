// The functions as the stack deploys them, under AWS's runtime client and with their own roles. `npm run rehearse` also
// takes a permission from every role, and prints a table.
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deployables, endpoints, workers } from "../../infra/deployables.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { dataOf, named } from "../support/contract/requests.ts";
import { isOf, namesOf, without } from "./aws/labels.ts";
import { rehearseCalls } from "./calls.ts";
import { rehearseJobs } from "./jobs.ts";
import { Rehearsal } from "./rehearsal.ts";
import { type Row, tableOf } from "./report.ts";

/** `npm run rehearse` starts vitest in the mode `rehearse`. */
const isFull = process.env.MODE === "rehearse";
let rehearsal: Rehearsal;
const rows: Row[] = [];

beforeAll(async () => {
  rehearsal = await Rehearsal.open();
});
afterAll(async () => {
  await rehearsal.close();
  if (isFull) console.log(tableOf(rows));
});

const passed = { problems: [], denials: [] };

describe("with the role, the memory and the timeout of the template", () => {
  it.each(endpoints)("$name replies to its example and to requests that use all of its grants", async (endpoint) => {
    const row = await rehearseCalls(rehearsal, endpoint);
    rows.push(row);
    expect(row).toMatchObject(passed);
  });

  it("every worker does its jobs, and the sweeper sends those whose messages are lost", async () => {
    const own = await rehearseJobs(rehearsal);
    rows.push(...own);
    expect(own.map(({ name }) => name).sort()).toEqual(workers.map(({ name }) => name).sort());
    for (const row of own) expect(row).toMatchObject(passed);
    expect(rehearsal.queues.deadLetters).toEqual([]);
    expect(rehearsal.stopped).toEqual([]);
  });
});

it("Lambda ends no chain of messages with which a worker invokes itself", () => {
  // The purge has sent to its own queue: the SDK has passed the trace header on, so Lambda would count.
  expect(rehearsal.longestChain).toBeGreaterThan(1);
  const ended = rehearsal.deployed.mappings.filter(
    (each) => !rehearsal.deployed.functions.find(({ arn }) => arn === each.functionArn)?.allowsRecursion,
  );
  expect(ended).toEqual([]);
});

it("each worker is invoked by its own queue, as many jobs at a time as it declares, or by its schedule", () => {
  const { functions, mappings, timers } = rehearsal.deployed;
  const nameOf = (functionArn: string) => functions.find(({ arn }) => arn === functionArn)?.name;
  const invoked = mappings.map((each) => [nameOf(each.functionArn), each.kind, each.batchSize, each.reportsFailures]);
  const declared = workers.flatMap((each) =>
    each.kind === "queue" ? [[each.name, each.jobs, each.batchSize, true]] : [],
  );
  expect(invoked.sort()).toEqual(declared.sort());
  expect(timers.map((each) => [nameOf(each.functionArn), each.isAllowed])).toEqual([["sweeper", true]]);
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

describe("without a permission that it needs", () => {
  it.each([
    ["users-get", "dynamodb:BatchGetItem"],
    ["presence-delete", "dynamodb:BatchWriteItem"],
    ["domains-delete", "dynamodb:DeleteItem"],
    ["token-generate", "kms:GenerateDataKey signing-key"],
    ["webhook-secret-get", "kms:Decrypt webhook-secret"],
    ["notifications-add", "sqs:SendMessage notify"],
  ])("%s does not pass: %s", async (name, permission) => {
    const role = without(rehearsal.function(name).role, permission);
    const row = await rehearseCalls(rehearsal, named(name), role);
    expect(row.denials).toEqual([permission]);
  });

  it("agents-get does not pass: the count of its workspace's calls", async () => {
    const role = without(rehearsal.function("agents-get").role, "dynamodb:UpdateItem W#*#%CALLS");
    const row = await rehearseCalls(rehearsal, named("agents-get"), role);
    expect(row.denials).toEqual(["dynamodb:UpdateItem"]);
  });

  it.runIf(isFull)(
    "no function passes: one permission of each role in turn",
    async () => {
      const survivors: string[] = [];
      for (const [index, { name, kind }] of deployables.entries()) {
        const permission = permissionOf(name, index);
        if (permission === undefined) continue;
        const role = without(rehearsal.function(name).role, permission);
        const own =
          kind === "endpoint"
            ? [await rehearseCalls(rehearsal, named(name), role)]
            : await rehearseJobs(rehearsal, { [name]: role });
        const denials = own.flatMap((row) => (row.name === name ? row.denials : []));
        if (!denials.some((each) => isOf(permission, each))) survivors.push(`${name} without ${permission}`);
      }
      expect(survivors).toEqual([]);
    },
    3_600_000,
  );
});

/** One of the permissions that the function has used, another one for each function. */
function permissionOf(name: string, index: number): string | undefined {
  const unused = rows.find((row) => row.name === name)?.unused ?? [];
  const labels = namesOf(rehearsal.function(name).role);
  const used = labels.filter((each) => !unused.includes(each) && !/^(?:logs|sqs):(?!SendMessage)/.test(each));
  return used[index % used.length];
}
