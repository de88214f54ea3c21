import { beforeEach, describe, expect, it } from "vitest";
import { webhookEndpointsCreate } from "../../../functions/webhooks/webhook-endpoints-create.ts";
import { webhookEndpointsDelete } from "../../../functions/webhooks/webhook-endpoints-delete.ts";
import { webhookEndpointsGet } from "../../../functions/webhooks/webhook-endpoints-get.ts";
import { handler, webhookEndpointsUpdate } from "../../../functions/webhooks/webhook-endpoints-update.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { webhookEndpointEntity } from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { switchWebhooks } from "../../../lib/webhooks/configure.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { hooked } from "../../support/webhooks.ts";
import { callSource, mocked } from "../../support/workspace.ts";

const url = "https://example.com/hooks";
let as: Credentials;
beforeEach(async () => {
  as = await hooked();
});

const create = (fields: object = {}) => must(webhookEndpointsCreate, { as, data: { url, ...fields } });
const update = (endpointId: string, fields: object) =>
  must(webhookEndpointsUpdate, { as, data: { endpointId, ...fields } });
const item = (endpointId: string) =>
  Table.get<Record<string, unknown>>(webhookEndpointEntity.key({ workspace: as.apiKey, endpointId }));
const wanted = async () => (await Setting.get({ workspace: as.apiKey }, "webhooks")).wantedEvents;

describe("OK", () => {
  it("changes the given fields and returns the new record without metadata", async () => {
    const created = await create({
      description: "One",
      uid: "u",
      rateLimit: 5,
      channels: ["organization:a"],
      metadata: { a: "b" },
    });
    const { id } = created;
    expect(created).toMatchObject({
      url,
      description: "One",
      filterTypes: [],
      disabled: false,
      uid: "u",
      rateLimit: 5,
    });
    const updated = await update(id, { description: "Two", filterTypes: ["a.b", "document.add"] });
    expect(updated).toEqual({
      ...created,
      description: "Two",
      filterTypes: ["a.b", "document.add"],
      updatedAt: expect.any(String),
    });
    expect(await item(id)).toMatchObject({ metadata: '{"a":"b"}', channels: ["organization:a"] });
    const { endpoints } = await must(webhookEndpointsGet, { as, data: {} });
    expect(endpoints).toEqual([updated]);
  });

  const clearable = {
    description: "One",
    filterTypes: ["user.add"],
    channels: ["organization:a"],
    rateLimit: 5,
    metadata: { a: "b" },
  };

  it.each(Object.keys(clearable))("removes %s for null, and ignores null for other fields", async (field) => {
    const { id } = await create({ ...clearable, disabled: true });
    await update(id, { [field]: null, disabled: null });
    const { [field as keyof typeof clearable]: _, ...kept } = clearable;
    const stored = await item(id);
    expect(stored).not.toHaveProperty(field);
    const metadata = "metadata" in kept ? { metadata: '{"a":"b"}' } : {};
    expect(stored).toMatchObject({ ...kept, ...metadata, disabled: true });
  });

  it("shows an unset description as empty, and unset types as an empty list, which stands for all types", async () => {
    const { id, ...created } = await create({ description: "One", filterTypes: ["user.add"] });
    const updated = await update(id, { description: null, filterTypes: null });
    expect(updated).toEqual({ ...created, id, description: "", filterTypes: [], updatedAt: expect.any(String) });
    expect(await wanted()).toEqual(["*"]);
  });

  it.each([
    ["https://example.com:8443/a/b?c=d#fragment", "https://example.com:8443/a/b?c=d"],
    ["http://bücher.example/", "http://bücher.example/"],
  ])("accepts the url %s", async (given, kept) => {
    const { id } = await create();
    expect((await update(id, { url: given })).url).toBe(kept);
  });

  it("keeps the summary of wanted events exact", async () => {
    expect(await wanted()).toEqual([]);
    const one = await create({ filterTypes: ["user.add", "nobody.knows"] });
    const two = await create({ filterTypes: ["document.add"], disabled: true });
    expect(await wanted()).toEqual(["nobody.knows", "user.add"]);
    await update(two.id, { disabled: false });
    expect(await wanted()).toEqual(["document.add", "nobody.knows", "user.add"]);
    await update(one.id, { filterTypes: ["user.add"] });
    expect(await wanted()).toEqual(["document.add", "user.add"]);
    const all = await create();
    expect(await wanted()).toEqual(["*"]);
    await must(webhookEndpointsDelete, { as, data: { endpointId: all.id } });
    await switchWebhooks({ workspace: as.apiKey }, false);
    expect(await wanted()).toEqual([]);
    await switchWebhooks({ workspace: as.apiKey }, true);
    expect(await wanted()).toEqual(["document.add", "user.add"]);
  });

  it("keeps the summary of wanted events exact during concurrent changes", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `type.${index}`);
    const created = await Promise.all(names.map((name) => create({ filterTypes: [name] })));
    expect(await wanted()).toEqual(names);
    const [first, second, ...rest] = created;
    await Promise.all([
      must(webhookEndpointsDelete, { as, data: { endpointId: first.id } }),
      update(second.id, { disabled: true }),
      ...rest.map(({ id }, index) => update(id, { filterTypes: [`new.${index}`] })),
    ]);
    expect(await wanted()).toEqual(rest.map((_, index) => `new.${index}`));
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each<[string, object]>([
    ["a request without changes", {}],
    ["a request with only nulls", { url: null, disabled: null }],
    ["an empty list of event types", { filterTypes: [] }],
    ["a malformed event type", { filterTypes: ["a..b"] }],
    ["an event type with a space", { filterTypes: ["a b"] }],
    ["a long event type", { filterTypes: ["a".repeat(129)] }],
    ["an empty list of channels", { channels: [] }],
    ...["team", "Organization:a", "organization:", " document:d", "document:a\nb", `document:${"x".repeat(257)}`].map(
      (each): [string, object] => [`the channel ${each.slice(0, 40)}`, { channels: [each] }],
    ),
    ...[0, -1, 1.5, 2 ** 53, "5"].map((rateLimit): [string, object] => [`the rate ${rateLimit}`, { rateLimit }]),
    ["a metadata value that is not a string", { metadata: { a: 1 } }],
    ["metadata of 17 KB", { metadata: { a: "x".repeat(17_000) } }],
    ...[
      "nonsense",
      "https://",
      "ftp://example.com",
      "https://user:pass@example.com",
      "http://10.0.0.1/",
      "http://[::1]/",
      "http://169.254.169.254/latest",
      "http://0x0a000001/",
      `https://example.com/${"x".repeat(2_048)}`,
    ].map((each): [string, object] => [`the url ${each.slice(0, 40)}`, { url: each }]),
  ])("is returned for %s, and nothing is changed", async (_, fields) => {
    const { id } = await create({ description: "One" });
    const before = await item(id);
    const { error } = await call(webhookEndpointsUpdate, { as, data: { endpointId: id, ...fields } });
    expect(error?.status).toBe("INVALID_ARGUMENT");
    expect(error?.message).not.toContain("pass@");
    expect(await item(id)).toEqual(before);
    if ("url" in fields && fields.url) {
      expect((await call(webhookEndpointsCreate, { as, data: fields })).error?.status).toBe("INVALID_ARGUMENT");
    }
  });
});

it("names all invalid fields at once, the URL among them", async () => {
  const { id } = await create();
  const data = { endpointId: id, url: "http:example.com", filterTypes: ["a b"], rateLimit: 0 };
  for (const endpoint of [webhookEndpointsCreate, webhookEndpointsUpdate]) {
    const { error } = await call(endpoint, { as, data });
    const details = error?.details as { issues: { path: string[] }[] };
    expect(details.issues.map(({ path }) => path.join(".")).sort()).toEqual(["filterTypes.0", "rateLimit", "url"]);
  }
});

describe("NOT_FOUND", () => {
  it("is returned for another workspace's endpoint, which is not changed", async () => {
    const { id } = await create();
    const before = await item(id);
    const other = await hooked();
    for (const [endpoint, data] of [
      [webhookEndpointsUpdate, { endpointId: id, description: "Mine" }],
      [webhookEndpointsUpdate, { endpointId: id, disabled: true }],
      [webhookEndpointsDelete, { endpointId: id }],
    ] as const) {
      expect((await call(endpoint, { as: other, data })).error?.status).toBe("NOT_FOUND");
    }
    expect(await item(id)).toEqual(before);
  });
});

describe("AWS calls", () => {
  const endpoint = { id: "e", url, disabled: false, secrets: [], createdAt: "", updatedAt: "" };
  const rows = [
    ...mocked.rows,
    Setting.settingEntity.put({ workspace: "w", setting: "switches" }, { advancedWebhooks: true }).put,
    webhookEndpointEntity.put({ workspace: "w", endpointId: "e" }, endpoint).put,
  ];
  const credentials = /^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#switches, W#w SETTING#webhooks$/;

  it("reads one endpoint when the summary cannot change, and all endpoints when it can", async () => {
    const aws = mockAws(rows);
    await callSource(handler, webhookEndpointsUpdate, { endpointId: "e", description: "x" });
    expect(aws.calls()).toEqual([
      expect.stringMatching(credentials),
      "Get W#w#HOOKS e",
      "TransactWrite Update W#w#HOOKS e if present",
    ]);
    aws.dynamo.resetHistory();
    await callSource(handler, webhookEndpointsUpdate, { endpointId: "e", filterTypes: ["x"] });
    expect(aws.calls()).toEqual([
      "BatchGet W#w SETTING#switches, W#w SETTING#webhooks",
      "Query W#w#HOOKS",
      "TransactWrite Update W#w#HOOKS e if present, Update W#w SETTING#webhooks if {no version}",
    ]);
    aws.restore();
  });
});
