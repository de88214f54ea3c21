// Adds up log lines by the minute, for the plots of the console.
import type { Series } from "../operations.ts";

/** A day. Older minutes are forgotten. */
export const minutesMax = 1_440;
const pointsMax = 60;

const [minuteMs, msOf] = [60_000, (minute: number) => minute * 60_000];

/** The counters of the plots, in their order. */
const counters = {
  calls: "calls",
  refused: "refused",
  failures: "failures",
  jobsDone: "jobs done",
  jobsFailed: "jobs failed",
  deliveriesSent: "deliveries sent",
  deliveriesFailed: "deliveries failed",
  messagesSent: "messages sent",
  messagesFailed: "messages failed",
} as const;
type Counter = keyof typeof counters;

interface Bucket {
  counts: Partial<Record<Counter, number>>;
  /** How many calls took how long, by step of the scale. */
  durations: Map<number, number>;
}

export interface Buckets {
  /** Adds a log line of the service. */
  add(line: Record<string, unknown>): void;
  /** The series of the last minutes, each with up to 60 points. A bucket without calls has no latency. */
  series(minutes: number, now: number): Series[];
}

export function createBuckets(): Buckets {
  const byMinute = new Map<number, Bucket>();

  function bucketAt(time: number): Bucket {
    const minute = Math.floor(time / minuteMs);
    const found = byMinute.get(minute) ?? { counts: {}, durations: new Map() };
    byMinute.set(minute, found);
    if (byMinute.size > minutesMax) byMinute.delete(Math.min(...byMinute.keys()));
    return found;
  }

  return {
    add(line) {
      const time = Date.parse(String(line.time));
      if (Number.isNaN(time)) return;
      const counted = Object.entries(countsOf(line)).filter(([, count]) => count > 0) as [Counter, number][];
      const isCall = line.message === "call" && typeof line.durationMs === "number";
      if (counted.length === 0 && !isCall) return;
      const { counts, durations } = bucketAt(time);
      for (const [name, count] of counted) counts[name] = (counts[name] ?? 0) + count;
      if (!isCall) return;
      const step = stepOf(Number(line.durationMs));
      durations.set(step, (durations.get(step) ?? 0) + 1);
    },
    series(minutes, now) {
      const width = Math.max(1, Math.ceil(minutes / pointsMax));
      const last = Math.floor(now / minuteMs / width) * width;
      const starts = Array.from({ length: Math.ceil(minutes / width) }, (_, index) => last - index * width).reverse();
      const groups = starts.map((start) => ({
        at: msOf(start) / 1_000,
        buckets: Array.from({ length: width }, (_, index) => byMinute.get(start + index)).filter((each) => !!each),
      }));
      return [...counterSeries(groups), ...latencySeries(groups)];
    },
  };
}

interface Group {
  at: number;
  buckets: Bucket[];
}

function counterSeries(groups: readonly Group[]): Series[] {
  return Object.entries(counters).map(([counter, name]) => ({
    name,
    unit: "count",
    points: groups.map(({ at, buckets }) => {
      const total = buckets.reduce((sum, { counts }) => sum + (counts[counter as Counter] ?? 0), 0);
      return [at, total] as [number, number];
    }),
  }));
}

function latencySeries(groups: readonly Group[]): Series[] {
  return [50, 95].map((percent) => ({
    name: `latency p${percent}`,
    unit: "ms",
    points: groups.flatMap(({ at, buckets }) => {
      const value = percentile(percent, buckets);
      return value === undefined ? [] : [[at, value] as [number, number]];
    }),
  }));
}

/** What a line counts. A job that failed once and runs again counts in neither. */
function countsOf(line: Record<string, unknown>): Partial<Record<Counter, number>> {
  const { message, outcome } = line;
  if (message === "call")
    return { calls: 1, refused: Number(hasStatus(line, 400)), failures: Number(hasStatus(line, 500)) };
  if (message === "job") return { jobsDone: Number(outcome === "done"), ...ofMessages(line) };
  if (message === "job failed") return { jobsFailed: 1, ...ofMessages(line) };
  if (message !== "delivery") return {};
  return { deliveriesSent: Number(outcome === "delivered"), deliveriesFailed: Number(outcome === "failed") };
}

/** Whether the HTTP status is one of the hundred that begin there. */
const hasStatus = ({ http }: Record<string, unknown>, first: number) => Math.floor(Number(http) / 100) * 100 === first;

/** The line of a job's run carries the messages of the run. */
function ofMessages({ messagesSent = 0, messagesFailed = 0 }: Record<string, unknown>) {
  return { messagesSent: Number(messagesSent), messagesFailed: Number(messagesFailed) };
}

/** Steps grow by a tenth, so a percentile is right to 5 %. */
const base = 1.1;
const stepOf = (ms: number) => Math.round(Math.log(Math.max(ms, 0.1)) / Math.log(base));

function percentile(percent: number, buckets: readonly Bucket[]): number | undefined {
  const durations = new Map<number, number>();
  for (const bucket of buckets) {
    for (const [step, count] of bucket.durations) durations.set(step, (durations.get(step) ?? 0) + count);
  }
  const steps = [...durations].sort(([one], [other]) => one - other);
  let left = (percent / 100) * steps.reduce((sum, [, count]) => sum + count, 0);
  for (const [step, count] of steps) {
    left -= count;
    if (left <= 0) return Number((base ** step).toPrecision(3));
  }
  return undefined;
}
