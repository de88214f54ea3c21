// The words and choices of the pages, which know every event and channel of the service.
import { expect, test } from "vitest";
import { deliveredTypes } from "../../../../../infra/console/page/pages/event-types.ts";
import { latestOf } from "../../../../../infra/console/page/pages/mails.ts";
import { offIn } from "../../../../../infra/console/page/pages/turned-off.ts";
import { turnedOff } from "../../../../../lib/messages/problems.ts";
import { eventTypes } from "../../../../../lib/schema/events.ts";

test("an endpoint can choose every event, except the test that each one gets", () => {
  const types = eventTypes.filter((type) => type !== "webhook_endpoint.test");
  expect(deliveredTypes.toSorted()).toEqual(types.toSorted());
});

test("of the attempts of a message, the latest is linked", () => {
  const mail = (id: string, messageId: string) => ({ id, messageId, at: "2026-01-01T00:00:00Z", channel: "email" });
  const latest = latestOf([mail("4", "one"), mail("3", "two"), mail("2", "one"), mail("1", "two")]);
  expect([latest.get("one")?.id, latest.get("two")?.id]).toEqual(["4", "3"]);
});

test("of each channel that is turned off, the text without the API's path is known", () => {
  expect(offIn(turnedOff.email)).toBe("The workspace has turned e-mail off");
  expect(offIn(turnedOff.slack)).toBe("The workspace has turned Slack off");
  expect(offIn("Slack refused it: invalid_auth.")).toBeUndefined();
});
