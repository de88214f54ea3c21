import { describe, expect, it } from "vitest";
import type { DomainEvent } from "../../../lib/jobs/outbox.ts";
import type { WebhookEndpoint } from "../../../lib/store/webhook-endpoint.ts";
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

describe("an event goes to an endpoint", () => {
  it.each<[string, Partial<WebhookEndpoint>]>([
    ["without filters", {}],
    ["that asks for its type", { filterTypes: ["comment.add", "document.add"] }],
    ["on its organization's channel", { channels: ["organization:o"] }],
    ["on its document's channel", { channels: ["other", "document:d"] }],
    ["on a channel that its cause named", { channels: ["team"] }],
    ["whose filters all fit", { filterTypes: ["document.add"], channels: ["team"] }],
  ])("%s", (_, more) => expect(of(more)).toBe(true));
});

describe("an event does not go to an endpoint", () => {
  it.each<[string, Partial<WebhookEndpoint>]>([
    ["that is disabled", { disabled: true }],
    ["that asks for other types", { filterTypes: ["document.delete", "document", "document.add.x"] }],
    ["on other channels", { channels: ["organization:other", "document:o", "o", "organization:"] }],
    ["of which one filter does not fit", { filterTypes: ["document.add"], channels: ["x"] }],
  ])("%s", (_, more) => expect(of(more)).toBe(false));
});

it("an event without organization and document is on no such channel", () => {
  const bare = { organizationId: "", documentId: undefined, channels: [] };
  expect(of({}, bare)).toBe(true);
  expect(of({ channels: ["organization:", "document:", "document:undefined"] }, bare)).toBe(false);
});
