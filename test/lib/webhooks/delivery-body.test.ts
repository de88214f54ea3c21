import { expect, it } from "vitest";
import type { DomainEvent } from "../../../lib/jobs/outbox.ts";
import { deliveryOf } from "../../../lib/webhooks/delivery-body.ts";

const createdAt = "2026-01-31T12:00:00.000Z";
const event: DomainEvent = {
  type: "comment_annotation.add",
  workspace: "w",
  organizationId: "o",
  documentId: "d",
  data: { annotationId: "a" },
};
const of = (origin = "job 0", endpointId = "e", change: Partial<DomainEvent> = {}) =>
  deliveryOf({ ...event, ...change }, createdAt, origin, endpointId);

it("the body has the event, its action, its source, its ids and its time", () => {
  const { id, body } = of();
  expect(JSON.parse(body)).toEqual({
    event: "comment_annotation.add",
    actionType: "add",
    source: "comment_annotation",
    webhookId: id,
    workspace: "w",
    organizationId: "o",
    documentId: "d",
    createdAt,
    data: { annotationId: "a" },
  });
  expect(JSON.parse(of("job 0", "e", { documentId: undefined }).body)).not.toHaveProperty("documentId");
});

it("the id of a delivery depends on the event's origin and the endpoint", () => {
  expect(of()).toEqual(of());
  expect(new Set([of(), of("job 1"), of("job 0", "f"), of("job", "0 e")].map(({ id }) => id)).size).toBe(4);
  expect(of().id).toMatch(/^msg_\d{13}_\d{10}_[\w-]{22}$/);
});

it("a delivery is due at the event's time, and ids have the order of the events", () => {
  expect(of()).toMatchObject({ dueAt: Date.parse(createdAt), attempts: 0, tries: 0 });
  const later = deliveryOf(event, "2026-01-31T12:00:00.001Z", "job 0", "e");
  expect(later.id > of().id).toBe(true);
  const places = [0, 9, 10, 300_000, 299_999_999].map((place) => deliveryOf(event, createdAt, "job 0", "e", place).id);
  expect(places.toSorted()).toEqual(places);
});
