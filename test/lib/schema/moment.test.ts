import { describe, expect, it } from "vitest";
import { Timestamp } from "../../../lib/schema/features.ts";
import { Moment } from "../../../lib/schema/moment.ts";

const messages = (schema: typeof Moment | typeof Timestamp, time: unknown) =>
  schema.safeParse(time).error?.issues.map(({ message }) => message) ?? [];

describe("a date that does not exist", () => {
  const dates = ["2026-02-30", "2026-02-31", "2026-04-31", "2026-02-29", "1900-02-29"];
  const refused = [expect.stringMatching(/^Must be an ISO 8601 time.*, of a date that exists\.$/)];

  it.each(dates)("is refused: %s", (date) => {
    expect(messages(Moment, date)).toEqual(refused);
    for (const schema of [Moment, Timestamp]) {
      expect(messages(schema, `${date}T00:00:00Z`)).toEqual(refused);
      expect(messages(schema, `${date}T23:30:00.5-05:00`)).toEqual(refused);
    }
  });

  it("is none of these", () => {
    for (const time of ["2026-02", "2026-02-28", "2024-02-29", "2000-02-29"]) {
      expect(messages(Moment, time)).toEqual([]);
    }
    expect(messages(Timestamp, "2026-02-28")).toEqual([expect.stringContaining("with a time of day")]);
    for (const time of ["2024-02-29T00:00:00+14:00", "2026-02-28T24:00:00Z", "2026-12-31T23:59:59-12:00"]) {
      for (const schema of [Moment, Timestamp]) expect(messages(schema, time)).toEqual([]);
    }
  });
});

it("a moment is in the years 0 to 9999, which replies can show", () => {
  const latest = Date.parse("9999-12-31T23:59:59.999Z");
  for (const time of [0, latest, latest + 0.5, "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"]) {
    expect(messages(Moment, time)).toEqual([]);
  }
  for (const time of [latest + 1, 8.64e15, "0000-01-01T00:00:00+14:00", "9999-12-31T23:59:59-01:00"]) {
    expect(messages(Moment, time)).toEqual(["Must be in the years 0 to 9999 of UTC."]);
  }
  expect(messages(Moment, -1)).toEqual(["Must not be negative."]);
});
