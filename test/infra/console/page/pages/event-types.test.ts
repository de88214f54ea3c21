import { expect, test } from "vitest";
import { deliveredTypes } from "../../../../../infra/console/page/pages/event-types.ts";
import { eventTypes } from "../../../../../lib/schema/events.ts";

test("an endpoint can choose every event, except the test that each one gets", () => {
  const types = eventTypes.filter((type) => type !== "webhook_endpoint.test");
  expect(deliveredTypes.toSorted()).toEqual(types.toSorted());
});
