import { exactTime, type Moment, relativeTime, useNow } from "../format.ts";

/** A time as people say it. The exact one is in its tooltip. */
export function Time({ at }: { at: Moment }) {
  const now = useNow();
  return (
    <time title={exactTime(at)} class="quiet">
      {relativeTime(at, now)}
    </time>
  );
}
