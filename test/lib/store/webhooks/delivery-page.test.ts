import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { inCall, newCall } from "../../../../lib/call.ts";
import * as Delivery from "../../../../lib/store/webhooks/delivery.ts";
import { pageOfDeliveries } from "../../../../lib/store/webhooks/delivery-page.ts";
import { deliveryOf } from "../../../../lib/webhooks/delivery-body.ts";
import { eventOf } from "../../../support/webhooks.ts";

const last = { at: "2026-01-31T12:00:00.000Z", durationMs: 3, code: 500, answer: "no" };

it("pageOfDeliveries returns every delivery once when a query of the log ends before a pending delivery", async () => {
  const workspace = randomUUID();
  const start = Date.parse("2026-01-31T12:00:00Z");
  // The log keeps the bodies of failed deliveries. A query returns at most 1 MB, so it returns fewer than 100 of these.
  const event = eventOf(workspace, "d", { data: { text: "x".repeat(90_000) } });
  const deliveries = Array.from({ length: 16 }, (_, index) =>
    deliveryOf(event, new Date(start + index * 1_000).toISOString(), `o${index}`, "e"),
  );
  await Delivery.add({ workspace }, deliveries);
  for (const each of deliveries.slice(1)) await Delivery.fail({ workspace }, each, last);
  const seen: string[] = [];
  let from: string | undefined;
  do {
    const page = await pageOfDeliveries({ workspace, endpointId: "e" }, 100, from);
    seen.push(...page.items.map(({ id }) => id));
    from = page.next;
  } while (from !== undefined);
  expect(seen).toEqual(deliveries.map(({ id }) => id).toReversed());
});

it("pageOfDeliveries reads a bounded part of a backlog, and continues behind it", async () => {
  const workspace = randomUUID();
  const start = Date.parse("2026-01-31T12:00:00Z");
  const made = (index: number, count: number) =>
    deliveryOf(eventOf(workspace), new Date(start + index).toISOString(), `o${index}-${count}`, "e");
  const retried = Array.from({ length: 7_000 }, (_, index) => made(5_000 + index, 0));
  // All of them became due again at the same time, as by a manual retry.
  const backlog = retried.map((each) => ({ ...each, attempts: 1, dueAt: start + 100_000 }));
  const untried = [0, 0, 4_000, 20_000].map((index, count) => made(index, count));
  await Delivery.add({ workspace }, [...backlog, ...untried]);
  const pages: string[][] = [];
  let from: string | undefined;
  do {
    const record = newCall("r");
    const page = await inCall(record, () => pageOfDeliveries({ workspace, endpointId: "e" }, 20, from));
    expect(record.cost.roundTrips).toBeLessThanOrEqual(5);
    expect(record.cost.readUnits).toBeLessThan(600);
    pages.push(page.items.map(({ id }) => id));
    from = page.next;
  } while (from !== undefined);
  const ids = untried.map(({ id }) => id);
  expect(pages.flat().sort()).toEqual(ids.toSorted());
  expect(pages.flat()[0]).toBe(ids[3]);
  expect(pages.length).toBeLessThanOrEqual(4);
});
