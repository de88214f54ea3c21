// Fills every field of every request with a person, erases the person, and compares what is left with `coverage`.
import { expect, it } from "vitest";
import { commentannotationsUpdate } from "../../../functions/comments/commentannotations-update.ts";
import { webhookEndpointsCreate } from "../../../functions/webhooks/webhook-endpoints-create.ts";
import { activity } from "../../../functions/workers/activity.ts";
import { fanout } from "../../../functions/workers/fanout.ts";
import { migrate } from "../../../functions/workers/migrate.ts";
import { notify } from "../../../functions/workers/notify.ts";
import { endpoints } from "../../../infra/deployables.ts";
import { requestExample } from "../../../infra/openapi/operation.ts";
import { inReadingOrder } from "../../../infra/openapi/reading-order.ts";
import { userFields } from "../../../lib/deletion/redact.ts";
import { type Item, segment } from "../../../lib/dynamodb/key.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { coverage, keptTexts, notCovered } from "../../../lib/erasure/coverage.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { eventSchemas } from "../../../lib/schema/events.ts";
import { featureKinds } from "../../../lib/schema/feature-kinds.ts";
import * as Knowledge from "../../../lib/store/ai/knowledge.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import {
  type Owner,
  sendWithPerson,
  type Word,
  withPerson,
  words,
  zoe,
} from "../../support/contract/person-in-fields.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { ann, furnish } from "../../support/furnished-table.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf, openJobs } from "../../support/scan.ts";

fakeDates();

const isSetting = ({ path }: Endpoint) => /config\/update$/.test(path);
const isEnd = ({ path }: Endpoint) => /\/(?:delete|remove|revoke|rotate|retry|test|close)$/.test(path);
/** Settings first: then events are recorded, delivered and sent. */
const sent = inReadingOrder(endpoints)
  .flatMap(({ groups }) => groups.flatMap((group) => group.endpoints))
  .filter((endpoint) => endpoint.isWrite && !isEnd(endpoint))
  .sort((one, other) => Number(isSetting(other)) - Number(isSetting(one)));

/** Each would need something that the service has made, a model, or a permission provider that answers. */
const unsent = [
  "activities-checkpoint-get",
  "agents-extract",
  "agents-update",
  "permissionproviderconfig-update",
  "webhook-endpoints-update",
];

/** Sends all requests. Returns the names of the endpoints that accepted them. */
async function tell(as: Credentials, story: string, owner: Owner): Promise<string[]> {
  const accepted: string[] = [];
  for (const endpoint of sent) {
    if (unsent.includes(endpoint.name)) continue;
    if (await sendWithPerson(endpoint, as, { story, owner })) accepted.push(endpoint.name);
    // So the update that follows changes each field.
    if (endpoint.name === "comments-add") await must(commentannotationsUpdate, { as, data: cleared(story, owner) });
    if (endpoint.name !== "users-add") continue;
    await must(endpoint, { as, data: { organizationId: `${words.ids}_${story}_acme`, users: [zoe] } });
  }
  return accepted;
}

/** An update that clears what the example of annotations has set. */
function cleared(story: string, owner: Owner): object {
  const example = requestExample(commentannotationsUpdate);
  const data = withPerson(commentannotationsUpdate.data, example, { story, owner }) as object;
  return { ...data, update: { status: null, priority: null, assignedTo: null } };
}

async function runJobs(): Promise<void> {
  for (let round = 0; round < 6; round++) {
    const open = await openJobs();
    later(61);
    for (const worker of [fanout, notify, activity, migrate]) {
      const ids = open.filter(({ kind }) => kind === worker.jobs).map(({ id }) => id);
      if (ids.length > 0) await deliver(worker, ids);
    }
  }
}

const textOf = (value: unknown) =>
  JSON.stringify(value, (_, each) => {
    if (each instanceof Set) return [...each];
    return each instanceof Uint8Array ? Buffer.from(each).toString("latin1") : each;
  });

const wordsIn = (value: unknown) =>
  (Object.keys(words) as Word[]).filter((word) => textOf(value)?.includes(words[word]));

/** What became of each attribute that named the person or had a word, by entity. `key`: its keys. */
function fatesOf(before: readonly Item[], after: readonly Item[]) {
  const keyOf = ({ pk, sk }: Item) => `${pk} ${sk}`;
  const leftBy = new Map(after.map((item) => [keyOf(item), item]));
  const fates: Record<string, Record<string, Set<string>>> = {};
  for (const { pk, sk, ...item } of before) {
    const now = leftBy.get(keyOf({ pk, sk }));
    for (const [name, value] of Object.entries({ key: [pk, sk], ...item })) {
      const named = wordsIn(value);
      const kept = now ? wordsIn(name === "key" ? value : now[name]) : [];
      const left = kept.map((word) => (word === "person" ? "ends" : word));
      const fate = now === undefined ? ["removed"] : kept.length < named.length ? [...left, "redacted"] : left;
      if (named.length === 0) continue;
      const ofEntity = fates[String(item.entity)] ?? {};
      fates[String(item.entity)] = { ...ofEntity, [name]: new Set([...(ofEntity[name] ?? []), ...fate]) };
    }
  }
  return Object.fromEntries(
    Object.entries(fates).map(([entity, attributes]) => {
      const cells = Object.entries(attributes).map(([name, fate]) => [name, [...fate].sort().join(" ")]);
      return [entity, Object.fromEntries(cells)];
    }),
  );
}

it("does with each attribute that a request can fill what `coverage` says", async () => {
  const as = await newWorkspace();
  await Setting.update({ workspace: as.apiKey }, "switches", { live: true });
  const ben = { userId: "ben", name: "Ben" };
  const accepted = await tell(as, "a", ben);
  // An endpoint that gets all events.
  await must(webhookEndpointsCreate, { as, data: { url: "https://example.com" } });
  accepted.push(...(await tell(as, "b", zoe)));
  expect(
    sent
      .map(({ name }) => name)
      .filter((name) => !accepted.includes(name))
      .sort(),
  ).toEqual(unsent);
  await runJobs();
  // What an extraction stores of a file.
  const organizationId = `${words.ids}_organization`;
  const source = { sourceId: `${words.ids}_source`, sourceUid: "uid", mimeType: "text/plain", organizationId };
  await Knowledge.add({ workspace: as.apiKey }, source, [words.text]);
  // The events of these requests are still in jobs.
  await tell(as, "c", ben);
  const before = await itemsOf(as.apiKey);
  await erased(await beginErasure(as.apiKey, { userIds: [zoe.userId] }), 40);
  const fates = fatesOf(before, await itemsOf(as.apiKey));
  expect(fates, "Say in `coverage` what an erasure does with each attribute.").toEqual(coverage);
});

it("names in the receipt each text that stays", () => {
  const entities = Object.entries(coverage)
    .filter(([, attributes]) => Object.values(attributes).some((fate) => fate.split(" ").includes("text")))
    .map(([entity]) => entity);
  expect(Object.values(keptTexts).flat().sort()).toEqual(entities.sort());
  for (const words of Object.keys(keptTexts)) expect(notCovered.join()).toContain(words);
  for (const kind of featureKinds) expect(notCovered.join()).toContain(kind);
});

/** The entities of the items that name the user in their keys or attributes. */
async function entitiesNaming(workspace: string): Promise<string[]> {
  const items = (await itemsOf(workspace)).filter((item) =>
    [ann, segment(ann)].some((text) => textOf(item).includes(text)),
  );
  return [...new Set(items.map(({ entity }) => String(entity)))].sort();
}

it("leaves of a user only the tombstone, in a workspace that has an item of each entity", async () => {
  const workspace = await furnish();
  expect((await entitiesNaming(workspace)).length).toBeGreaterThan(15);
  await erased(await beginErasure(workspace, { userIds: [ann] }));
  expect(await entitiesNaming(workspace)).toEqual(["user"]);
});

/** Fields of events whose values are no users, although they are strings. */
const otherFields =
  /^(?:\w*(?:annotation|comment|editor|document|folder|organization|reaction|recording|migration|notification|endpoint|location|group|delivery|agent|token)Ids?|id|\w*Name|name|type|contentKey|until|notificationSource|reason|status|priority|\w*Type|organizationUserGroupId)$/i;

it("knows which fields of an event hold users", () => {
  const unknown = Object.entries(eventSchemas).flatMap(([type, schema]) =>
    stringFields(schema).flatMap((field) =>
      userFields.test(field) || otherFields.test(field) ? [] : `${type} ${field}`,
    ),
  );
  expect(unknown, "Add them to `userFields` of lib/deletion/redact.ts, or to `otherFields` here.").toEqual([]);
});

/** The names of the fields that hold strings, or lists of strings, at any depth. */
function stringFields(schema: unknown, name = ""): string[] {
  const { type, shape, element, innerType } = (schema as { _zod: { def: Record<string, unknown> } })._zod.def;
  if (type === "string") return [name];
  if (element) return stringFields(element, name);
  if (innerType) return stringFields(innerType, name);
  return Object.entries((shape ?? {}) as object).flatMap(([key, inner]) => stringFields(inner, key));
}
