// A time in a request.
import * as z from "zod/mini";
import { mustBeIsoTime } from "./messages.ts";

/** A point in time: ISO 8601, or milliseconds since 1970. */
export const Moment = z.union(
  [
    z.string().check(z.refine((text) => isIso(text), { error: mustBeIsoTime })),
    z.int().check(z.nonnegative(), z.maximum(8.64e15)),
  ],
  "Must be an ISO 8601 time, or milliseconds since 1970.",
);

/** Returns ms since the epoch. */
export const timeOf = (moment: string | number) => (typeof moment === "number" ? moment : Date.parse(moment));

const isIso = (text: string) =>
  /^\d{4}-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?)?$/.test(text) &&
  !Number.isNaN(Date.parse(text));
