import { describe, expect, it } from "vitest";
import type { DomainEvent } from "../../../lib/jobs/outbox.ts";
import type { WebhookEndpoint } from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { matches } from "../../../lib/webhooks/matching.ts";

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
  channels: ["team"],
};
const of = (more: Partial<WebhookEndpoint>, change: Partial<DomainEvent> = {}) =>
  matches({ ...endpoint, ...more }, { ...event, ...change });

describe("an event is sent to an endpoint", () => {
  it.each<[string, Partial<WebhookEndpoint>]>([
    ["without filters", {}],
    ["with its type in filterTypes", { filterTypes: ["comment.add", "document.add"] }],
    ["with the channel of its organization", { channels: ["organization:o"] }],
    ["with the channel of its document", { channels: ["other", "document:d"] }],
    ["with a channel of the event", { channels: ["team"] }],
    ["with several filters that all match", { filterTypes: ["document.add"], channels: ["team"] }],
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
