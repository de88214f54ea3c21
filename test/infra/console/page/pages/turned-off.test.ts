import { expect, test } from "vitest";
import { offIn } from "../../../../../infra/console/page/pages/turned-off.ts";
import { turnedOff } from "../../../../../lib/messages/problems.ts";

test("of each channel that is turned off, the text without the API's path is known", () => {
  expect(offIn(turnedOff.email)).toBe("The workspace has turned e-mail off");
  expect(offIn(turnedOff.slack)).toBe("The workspace has turned Slack off");
  expect(offIn("Slack refused it: invalid_auth.")).toBeUndefined();
});
