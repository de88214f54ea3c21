// What a read returns can be sent, as a whole, to the writes of the same thing. Then nothing has changed. A test may
// only name the ids that a reply does not have under their names in the request. Empty values are sent back too.
import { beforeAll, expect, it } from "vitest";
import { requestExample } from "../../infra/openapi/operation.ts";
import { putAll } from "../../lib/dynamodb/batch-write.ts";
import type { Item } from "../../lib/dynamodb/key.ts";
import { fieldNames } from "../../lib/http/schema-fields.ts";
import { type Credentials, call, must } from "../support/call.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { named, posts } from "../support/contract/requests.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";
import { newContainers } from "../support/exact/containers.ts";
import { runNotify } from "../support/notifications.ts";
import { allItems } from "../support/scan.ts";

// biome-ignore lint/suspicious/noExplicitAny: replies as they come
type Json = any;

const on = { organizationId: "acme", documentId: "plan" };

/** The contract shows no filter as an empty list, and refuses that list in a request. */
const perEndpoint = ({ endpoints }: Json) =>
  endpoints.map((each: Json) => ({
    ...each,
    endpointId: each.id,
    filterTypes: each.filterTypes.length > 0 ? each.filterTypes : null,
  }));
const perPreference = (entries: Json) =>
  entries.map(({ config, metadata }: Json) => ({
    ...metadata,
    documentIds: [metadata.documentId ?? []].flat(),
    userIds: [metadata.userId],
    config,
  }));
const perNotification = ({ notifications }: Json) =>
  notifications.map((each: Json) => ({ ...each, notifyUsers: [each.actionUser] }));
const perItem = (request: (item: Json) => object) => (reply: Json) => reply.items.map(request);

/** Resolved permissions as grants. */
function asGrants(reply: Json): object[] {
  return Object.entries<Json>(reply).map(([userId, { organization, folders, documents }]) => {
    const of = (type: string, entries: object) =>
      Object.entries<Json>(entries).map(([id, entry]) => ({ ...entry, type, id, organizationId: on.organizationId }));
    const all = [...of("organization", organization), ...of("folder", folders), ...of("document", documents)];
    return { user: { userId }, permissions: { resources: all.filter(({ accessRole }) => accessRole) } };
  });
}

/** The requests from a reply, where its fields are not those of one request, and its list has no entry for each. */
const requests: Record<string, (reply: Json) => object[]> = {
  // A new token. Those of an administrator can be without a name.
  "authtokens-create": ({ authTokens }) => authTokens.filter(({ name }: Json) => name !== ""),
  "commentannotations-update": perItem((update) => ({ annotationIds: [update.annotationId], update })),
  "comments-add": perItem((each) => each),
  "comments-update": ({ items }) =>
    items.flatMap(({ annotationId, comments }: Json) => comments.map((each: Json) => ({ annotationId, ...each }))),
  "crdt-add": (reply) => [{ ...reply, editorId: "copy" }],
  "documents-data-add": perItem((each) => ({ location: each.location, comments: [each] })),
  "locations-update": perItem(({ location }) => ({ migrate: { oldLocation: location, newLocation: location } })),
  "notifications-add": perNotification,
  "notifications-config-set": perPreference,
  "permissions-add": asGrants,
  "usergroup-users-add": ({ organizationUserGroups: [group], members }) => [
    { ...group, userIds: members.map(({ userId }: Json) => userId) },
  ],
  "webhook-endpoints-create": perEndpoint,
  "webhook-endpoints-update": perEndpoint,
};

/** The requests from the export of a user. */
const fromExport: typeof requests = {
  "users-update": ({ profile }) => [{ users: [profile] }],
  "users-add": ({ profile }) => [{ users: [profile] }],
  "notifications-add": perNotification,
  "documents-data-add": ({ comments, reactions, recordings }) =>
    [{ comments }, { reactions }, { recordings }].flatMap((kinds) =>
      Object.entries(kinds).flatMap(([kind, items]) =>
        items.map((each: Json) => ({ location: each.location, [kind]: [each] })),
      ),
    ),
};

const isWrite = /-(?:add|create|set|update)$/;
const writes = posts.filter(({ name }) => isWrite.test(name));
const others: [read: string, writes: string[]][] = [
  ["documents-data-get", ["comments-add", "comments-update", "commentannotations-update", "locations-update"]],
  ["memory-search", ["judgments-add"]],
  ["usergroups-get", ["usergroup-users-add"]],
  ["users-data-get", Object.keys(fromExport)],
];

const pairs = [
  ...writes.flatMap(({ name }) => {
    const read = posts.find((each) => each.name === name.replace(isWrite, "-get"));
    return read ? [[read.name, name] as const] : [];
  }),
  ...others.flatMap(([read, names]) => names.map((write) => [read, write] as const)),
];

/** Its draft has no context fields, as most. */
const agentOfDraft = { name: "Titles", instructions: "Check the titles.", input: { userContextFields: [] } };

/** Example requests that would change who may read. */
const leftOut = ["permissionproviderconfig-update"];

const configurations = pairs.filter(([, write]) => write.endsWith("config-update"));

/** The workspace before and with all examples. Each test gets it anew, in a table of its own. */
let as: Credentials;
let unset: Item[];
let items: Item[];

beforeAll(async () => {
  as = await furnishedWorkspace();
  unset = await allItems();
  const examples = writes.filter(({ name }) => !leftOut.includes(name));
  for (const each of examples) await call(each, { as, data: requestExample(each) });
  const secrets = { providers: { openai: { apiKey: "sk-secret" } } };
  await call(named("aimodelconfig-update"), { as, data: secrets });
  await call(named("slackconfig-update"), { as, data: { botToken: "xoxb-1-secret" } });
  await must(named("webhook-endpoints-create"), { as, data: { url: "https://example.com/all" } });
  await must(named("agents-create"), { as, data: agentOfDraft });
  await runNotify(as);
  items = await allItems();
});

/** Without the times of the last writes. */
const lasting = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, each) => (["updatedAt", "expiresAt"].includes(key) ? undefined : each)));

it("there are pairs of all groups", () => {
  expect(pairs.length).toBeGreaterThan(38);
});

/** Returns how many requests it sent. */
async function sendBack(from: readonly Item[], readName: string, writeName: string): Promise<number> {
  newContainers();
  newTableInMemory();
  await putAll(from.map((put) => ({ put })));
  const [read, write] = [named(readName), named(writeName)];
  const { pageSize: _, explain: __, ...data } = requestExample(read) as Json;
  const get = async () => {
    const { result, error } = (await call(read, { as, data })).body;
    expect(error).toBeUndefined();
    return result.data;
  };
  const first = await get();
  const list = Object.keys(first).find((key) => Array.isArray(first[key]));
  const isPerEntry = list !== undefined && !fieldNames(write.data).includes(list);
  const own = readName === "users-data-get" ? fromExport : requests;
  const sent: object[] = own[writeName]?.(first) ?? (isPerEntry ? first[list] : [first]);
  for (const each of sent) {
    const { editorId } = data;
    const reply = await call(write, { as, data: { ...on, ...as, editorId, ...each } });
    expect(reply.error).toBeUndefined();
    const items = Object.values<Json>(reply.data ?? {});
    for (const { success = true, code } of items.flatMap((item) => (Object(item) === item ? item : [])))
      if (!success) expect(code).toBe("already-exists");
  }
  if (!writeName.endsWith("-create")) expect(lasting(await get())).toEqual(lasting(first));
  return sent.length;
}

it.each(pairs)("what %s returns, %s takes", async (readName, writeName) => {
  expect(await sendBack(items, readName, writeName)).toBeGreaterThan(0);
});

it.each(configurations)("what %s returns of an unset configuration, %s takes", async (readName, writeName) => {
  expect(await sendBack(unset, readName, writeName)).toBe(1);
});
