// A time in a request.
import * as z from "zod/mini";
import { isIsoTime } from "./iso-time.ts";
import { mustBeIsoTime, mustNotBeNegative } from "./messages.ts";
import { whenValid } from "./when-valid.ts";

export const momentForms = "an ISO 8601 time, or milliseconds since 1970";

/** In the years 0 to 9999: the times of replies have no others. */
const [earliestMs, latestMs] = ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"].map(Date.parse) as [
  number,
  number,
];
const mustBeInYears = "Must be in the years 0 to 9999 of UTC.";

/** The fraction is dropped. */
export const Milliseconds = z
  .number()
  .check(z.overwrite(Math.floor), z.nonnegative(mustNotBeNegative), z.maximum(latestMs, mustBeInYears));

/** A point in time. */
export const Moment = z.union(
  [
    z.string().check(
      z.refine((text) => isMoment(text), { error: mustBeIsoTime }),
      z.refine((text) => !(Date.parse(text) < earliestMs || Date.parse(text) > latestMs), { error: mustBeInYears }),
    ),
    Milliseconds,
  ],
  `Must be ${momentForms}.`,
);
type Moment = z.output<typeof Moment>;

/** Returns ms since the epoch. */
export const timeOf = (moment: Moment) => (typeof moment === "number" ? moment : Date.parse(moment));

const isMoment = (text: string) =>
  /^\d{4}-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?)?$/.test(text) && isIsoTime(text);

/**
 * Whether a range of times does not end before it starts. It can be open at both ends. An empty range is in order. A
 * range with an invalid time is in order too: the time has an issue of its own.
 */
export const isInOrder = (start: Moment | undefined, end: Moment | undefined): boolean =>
  start === undefined || end === undefined || !(timeOf(start) > timeOf(end));

interface Bounds {
  after?: Moment | undefined;
  before?: Moment | undefined;
}

/** The rule of every list that takes `after` and `before`: DynamoDB refuses a range that ends before it starts. */
export const mustBeInOrder = z.refine<Bounds>(({ after, before }) => isInOrder(after, before), {
  error: "Must not be earlier than after.",
  path: ["before"],
  when: whenValid("after", "before"),
});
