// The ticks of axes. The first and the last tick are the ends of the axis, so that all values are between them.

/** As many ticks are legible. */
const most = 7;

/** Powers of ten, or also their double and fivefold if there is space. */
export function logTicks(values: readonly number[]): number[] {
  // The least value is a little above the axis.
  const [least, largest] = [0.9 * Math.min(...values), Math.max(...values)];
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(largest))];
  const powers = Array.from({ length: to - from + 1 }, (_, index) => Number(`1e${from + index}`));
  const steps = powers.flatMap((power) => [1, 2, 5].map((factor) => factor * power));
  const first = steps.findLastIndex((step) => step <= least);
  const last = steps.findIndex((step) => step >= largest);
  const fine = steps.slice(first, last + 1);
  return fine.length > most ? powers : fine;
}

/** From 0 in equal steps. */
export function linearTicks(values: readonly number[]): number[] {
  const largest = Math.max(...values);
  const step = logTicks([largest / (most - 1), largest]).find((each) => largest / each <= most - 1) ?? largest;
  const count = Math.ceil(largest / step);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}
