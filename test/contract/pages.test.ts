import { beforeAll, expect, it, vi } from "vitest";
import { sourceOf } from "../../infra/deployables.ts";
import type { Handler } from "../../lib/http/lambda.ts";
import { atAwsEdge } from "../support/aws/edge.ts";
import { type Credentials, call, contextOf, eventOf } from "../support/call.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { dataOf, posts } from "../support/contract/requests.ts";
import { fieldsOf } from "../support/contract/schema-fields.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";
import { root } from "../support/sources.ts";

let as: Credentials;
beforeAll(async () => {
  newTableInMemory();
  as = await furnishedWorkspace();
});

const lists = posts.filter(({ data }) => fieldsOf(data).some(({ path }) => path[0] === "pageToken"));
/** With these, a call looks items up and lists none. */
const lookups = ["agentIds", "documentIds", "pageToken", "parentFolderId", "userIds"];

it.each(lists)("$name returns its first page for an empty pageToken", async (each) => {
  const reply = async (more: object) => (await call(each, { as, data: { ...dataOf(each), ...more } })).body;
  const first = await reply({});
  expect(first.result).toBeDefined();
  const items = (body: typeof first) => JSON.stringify(body).replaceAll(/"nextPageToken":"[^"]*"/g, "");
  expect(items(await reply({ pageToken: "" }))).toBe(items(first));
});

it.each(lists)("$name returns a whole last page when DynamoDB ends each of its pages after one item", async (each) => {
  const { handler } = (await import(/* @vite-ignore */ `${root}/${sourceOf(each)}`)) as { handler: Handler };
  const data = Object.fromEntries(Object.entries(dataOf(each)).filter(([name]) => !lookups.includes(name)));
  const page = async () => {
    const reply = await handler(eventOf(each, { as, data }) as never, contextOf(each.name) as never);
    return JSON.parse(String((reply as { body: string }).body)).result;
  };
  const whole = await page();
  expect({ ...whole, ...whole.data }.nextPageToken).toBeNull();
  atAwsEdge(({ constructor: { name }, input }, call) => {
    if (name === "QueryCommand") input.Limit = 1;
    return call();
  });
  try {
    expect(await page()).toEqual(whole);
  } finally {
    vi.restoreAllMocks();
  }
});
