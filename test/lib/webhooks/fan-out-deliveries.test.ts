// The endpoints that a container keeps for fanout. All jobs of this file run in one container.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fanout } from "../../../functions/workers/fanout.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { DomainEvent } from "../../../lib/jobs/outbox.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { type WebhookEndpoint, webhookEndpointEntity } from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { removeEndpoint, updateEndpoint } from "../../../lib/webhooks/configure.ts";
import { matches } from "../../../lib/webhooks/fan-out-deliveries.ts";
import { logs } from "../../support/capture-logs.ts";
import { deliver, storeJob } from "../../support/run-worker.ts";
import { addEndpoint, deliveriesOf, eventOf, hooked } from "../../support/webhooks.ts";

const url = "https://example.com/hooks";
let workspace: string;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  workspace = (await hooked()).apiKey;
});
afterEach(() => void vi.useRealTimers());

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

const settings = async () => ({
  switches: await Setting.get({ workspace }, "switches"),
  webhooks: await Setting.get({ workspace }, "webhooks"),
});
const versionNow = async () => (await settings()).webhooks.version;

/** Runs one job for each of these documents in one invocation. Returns the costs of the jobs. */
async function emitAt(version: number | undefined, ...documentIds: string[]) {
  const createdAt = new Date().toISOString();
  const known = version === undefined ? {} : { version };
  const stored = documentIds.map((documentId) =>
    storeJob("fanout", workspace, {
      eventsJson: JSON.stringify([eventOf(workspace, documentId)]),
      createdAt,
      ...known,
    }),
  );
  const before = logs().length;
  expect(await deliver(fanout, await Promise.all(stored))).toEqual([]);
  return logs().slice(before);
}

const countOf = async (id: string) => (await deliveriesOf(workspace, id)).length;

describe("the cost of a fanout job at 400 endpoints", () => {
  it("is two read units, once the container has the list", async () => {
    const { id } = await addEndpoint(workspace, { url });
    const others = Array.from({ length: 399 }, (_, index) => {
      const endpoint = {
        id: `e${index}`,
        url,
        disabled: false,
        filterTypes: ["user.add"],
        createdAt: "",
        updatedAt: "",
      };
      const secrets = [{ sealed: "x".repeat(330) }];
      return webhookEndpointEntity.put({ workspace, endpointId: endpoint.id }, { ...endpoint, secrets });
    });
    await putAll(others);
    const version = await versionNow();
    const [first] = await emitAt(version, "a");
    // The job, the setting, the drain's job, and 400 endpoints of about 500 bytes.
    expect(first?.readUnits).toBeGreaterThan(45);
    expect(await emitAt(version, "b")).toMatchObject([{ readUnits: 2, roundTrips: 5 }]);
    expect(await countOf(id)).toBe(2);
  });
});

describe("an event of a call that began after a change of the endpoints", () => {
  it.each([
    ["was disabled", { disabled: true }],
    ["wants other types", { filterTypes: ["user.add"] }],
    ["listens to other channels", { channels: ["document:other"] }],
  ])("makes no delivery for an endpoint that %s", async (_, fields) => {
    const { id } = await addEndpoint(workspace, { url });
    await emitAt(await versionNow(), "a");
    await updateEndpoint({ workspace, endpointId: id }, fields, await settings());
    await emitAt(await versionNow(), "b");
    expect(await countOf(id)).toBe(1);
  });

  it("makes no delivery for a deleted endpoint, and one for a new endpoint", async () => {
    const { id } = await addEndpoint(workspace, { url });
    await emitAt(await versionNow(), "a");
    await removeEndpoint({ workspace, endpointId: id }, await settings());
    const added = await addEndpoint(workspace, { url });
    await emitAt(await versionNow(), "b");
    expect([await countOf(id), await countOf(added.id)]).toEqual([1, 1]);
  });
});

describe("an event of an earlier call", () => {
  it("makes deliveries for a deleted endpoint for at most 30 seconds", async () => {
    const { id } = await addEndpoint(workspace, { url });
    const version = await versionNow();
    await emitAt(version, "a");
    await removeEndpoint({ workspace, endpointId: id }, await settings());
    later(29_999);
    await emitAt(version, "b");
    expect(await countOf(id)).toBe(2);
    later(1);
    await emitAt(version, "c");
    expect(await countOf(id)).toBe(2);
  });

  it("without a version makes none", async () => {
    const { id } = await addEndpoint(workspace, { url });
    await emitAt(undefined, "a");
    await removeEndpoint({ workspace, endpointId: id }, await settings());
    await emitAt(undefined, "b");
    expect(await countOf(id)).toBe(1);
  });
});

it("checks the version once in 30 seconds, and keeps a list that has not changed", async () => {
  await addEndpoint(workspace, { url });
  const version = await versionNow();
  await emitAt(version, "a");
  later(30_000);
  // The job, the setting and the drain's job.
  expect(await emitAt(version, "b")).toMatchObject([{ readUnits: 3 }]);
  expect(await emitAt(version, "c")).toMatchObject([{ readUnits: 2 }]);
});

it("never uses the list of another workspace", async () => {
  const { id } = await addEndpoint(workspace, { url });
  await emitAt(await versionNow(), "a");
  const first = workspace;
  workspace = (await hooked()).apiKey;
  const other = await addEndpoint(workspace, { url });
  await emitAt(1, "b");
  expect(await countOf(other.id)).toBe(1);
  workspace = first;
  expect(await countOf(id)).toBe(1);
});

const endpoint: WebhookEndpoint = {
  id: "e",
  url: "https://example.com",
  disabled: false,
  createdAt: "",
  updatedAt: "",
  secrets: [],
};
const event: DomainEvent = {
  type: "document.add",
  workspace: "w",
  organizationId: "o",
  documentId: "d",
  data: {},
};
const of = (more: Partial<WebhookEndpoint>, change: Partial<DomainEvent> = {}) =>
  matches({ ...endpoint, ...more }, { ...event, ...change });

describe("an event is sent to an endpoint", () => {
  it.each<[string, Partial<WebhookEndpoint>]>([
    ["without filters", {}],
    ["with its type in filterTypes", { filterTypes: ["comment.add", "document.add"] }],
    ["with the channel of its organization", { channels: ["organization:o"] }],
    ["with the channel of its document", { channels: ["other", "document:d"] }],
    ["with several filters that all match", { filterTypes: ["document.add"], channels: ["document:d"] }],
  ])("%s", (_, more) => expect(of(more)).toBe(true));
});

describe("an event is not sent to an endpoint", () => {
  it.each<[string, Partial<WebhookEndpoint>]>([
    ["that is disabled", { disabled: true }],
    ["with other types in filterTypes", { filterTypes: ["document.delete", "document", "document.add.x"] }],
    ["with other channels", { channels: ["organization:other", "document:o", "o", "organization:"] }],
    ["with one filter that does not match", { filterTypes: ["document.add"], channels: ["x"] }],
  ])("%s", (_, more) => expect(of(more)).toBe(false));
});

it("an event without organization and document matches no channel of an organization or document", () => {
  const bare = { organizationId: "", documentId: undefined, channels: [] };
  expect(of({}, bare)).toBe(true);
  expect(of({ channels: ["organization:", "document:", "document:undefined"] }, bare)).toBe(false);
});
