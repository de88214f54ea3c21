import { describe, expect, test } from "vitest";
import {
  accessText,
  eventText,
  inWords,
  milliseconds,
  plural,
  relativeTime,
} from "../../../../infra/console/page/format.ts";

describe("a time", () => {
  const now = Date.parse("2026-11-24T12:00:00Z");
  test.each([
    ["2026-11-24T11:59:50Z", "just now"],
    ["2026-11-24T11:57:00Z", "3 min. ago"],
    ["2026-11-24T09:00:00Z", "3 hr. ago"],
    ["2026-11-23T11:00:00Z", "yesterday"],
    ["2026-11-24T12:00:20Z", "in a moment"],
    [now / 1_000 + 600, "in 10 min."],
    ["no time", "no time"],
  ])("%s is “%s” at noon", (moment, text) => {
    expect(relativeTime(moment, now)).toBe(text);
  });
});

test("events and codes are said in words", () => {
  expect(eventText("comment.add")).toBe("Comment added");
  expect(eventText("comment_annotation.status_change")).toBe("Comment thread state changed");
  expect(eventText("usergroup.user_delete")).toBe("User removed from a group");
  expect(eventText("own.event")).toBe("Own event");
  expect(eventText("own")).toBe("Own");
  expect(inWords("organizationPrivate")).toBe("Organization private");
  expect([accessText("public"), accessText(), accessText("own")]).toEqual([
    "Everyone may read",
    "The organization's members",
    "Own",
  ]);
});

test("numbers have their units", () => {
  expect(plural(1, "comment")).toBe("1 comment");
  expect(plural(2_000, "delivery", "deliveries")).toBe("2,000 deliveries");
  expect(milliseconds(12.4)).toBe("12 ms");
  expect(milliseconds(12_400)).toBe("12.4 s");
});
