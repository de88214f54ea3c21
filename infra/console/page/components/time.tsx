import { clockMs, dateOf, exactTime, type Moment, relativeTime, useNow } from "../format.ts";

/** A time as people say it. The exact one is in its tooltip. `isDue`: something happens then, or as soon as it can. */
export function Time({ at, isDue }: { at: Moment; isDue?: boolean }) {
  const now = useNow();
  const isNow = isDue && dateOf(at).getTime() <= now + clockMs;
  return (
    <time title={exactTime(at)} class="quiet">
      {isNow ? "now" : relativeTime(at, now)}
    </time>
  );
}
