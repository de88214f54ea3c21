// Times that the processes of one machine share, and the figures of many measured times.
/** Milliseconds since the epoch, in fractions. */
export const clock = () => performance.timeOrigin + performance.now();

export const after = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const rounded = (value: number, digits = 1) => Number(value.toFixed(digits));

/** The halfway time and the time within which 99 % are, in ms. */
export const spread = (values: readonly number[]) => ({
  p50: rounded(percentile(values, 0.5)),
  p99: rounded(percentile(values, 0.99)),
});
