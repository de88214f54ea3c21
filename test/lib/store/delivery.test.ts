import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import * as Delivery from "../../../lib/store/delivery.ts";
import { deliveryOf } from "../../../lib/webhooks/message.ts";
import { eventOf } from "../../support/webhooks.ts";

const last = { at: "2026-01-31T12:00:00.000Z", durationMs: 3, code: 500, answer: "no" };

it("Delivery.page returns every delivery once when a query of the log ends before a pending delivery", async () => {
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
    const page = await Delivery.page({ workspace, endpointId: "e" }, 100, from);
    seen.push(...page.items.map(({ id }) => id));
    from = page.next;
  } while (from !== undefined);
  expect(seen).toEqual(deliveries.map(({ id }) => id).toReversed());
});
