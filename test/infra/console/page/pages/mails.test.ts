import { expect, test } from "vitest";
import { latestOf } from "../../../../../infra/console/page/pages/mails.ts";

test("of the attempts of a message, the latest is linked", () => {
  const mail = (id: string, messageId: string) => ({ id, messageId, at: "2026-01-01T00:00:00Z", channel: "email" });
  const latest = latestOf([mail("4", "one"), mail("3", "two"), mail("2", "one"), mail("1", "two")]);
  expect([latest.get("one")?.id, latest.get("two")?.id]).toEqual(["4", "3"]);
});
