import { expect, test } from "vitest";
import { accessText, inWords, isoText, plural, timeText } from "../../../../infra/console/page/format.ts";

test("a time is in words, and any other text as it is", () => {
  expect(timeText("2026-11-24T11:59:50Z")).toBe(timeText(Date.parse("2026-11-24T11:59:50Z") / 1_000));
  expect(timeText("2026-11-24T11:59:50Z")).toContain("2026");
  expect(timeText("no time")).toBe("no time");
  expect([isoText(0), isoText("2026-11-24T11:59:50.123Z"), isoText("no time")]).toEqual([
    ...["1970-01-01T00:00:00.000Z", "2026-11-24T11:59:50.123Z", "no time"],
  ]);
});

test("codes are said in words", () => {
  expect(inWords("comment_annotation.status_change")).toBe("Comment annotation status change");
  expect(inWords("organizationPrivate")).toBe("Organization private");
  const access = [accessText("public"), accessText(), accessText("own"), accessText("constructor")];
  expect(access).toEqual(["Everyone may read", "The organization's members", "Own", "Constructor"]);
});

test("numbers have their units", () => {
  expect(plural(1, "comment")).toBe("1 comment");
  expect(plural(2_000, "delivery", "deliveries")).toBe("2,000 deliveries");
});
