// The metrics of a stack, which CloudWatch makes of the log lines of the functions.
import { CloudWatchClient, GetMetricDataCommand, type MetricDataQuery } from "@aws-sdk/client-cloudwatch";
import type { Metrics } from "../../../../lib/metrics.ts";
import type { Series } from "../operations.ts";

interface Plot {
  id: string;
  name: string;
  unit: string;
  metric: keyof Metrics;
  stat: string;
}

const count = (id: string, name: string, metric: keyof Metrics): Plot => {
  return { id, name, unit: "count", metric, stat: "Sum" };
};
const latency = (stat: string): Plot => {
  return { id: stat, name: `latency ${stat}`, unit: "ms", metric: "durationMs", stat };
};

/** Deliveries have no metric: a log line of each attempt is all that a stack keeps of them. */
const plots: readonly Plot[] = [
  count("calls", "calls", "calls"),
  count("failures", "failures", "failures"),
  count("runs", "job runs", "jobRuns"),
  count("failedJobs", "jobs failed", "failedJobs"),
  count("messagesSent", "messages sent", "messagesSent"),
  count("messagesFailed", "messages failed", "messagesFailed"),
  latency("p50"),
  latency("p95"),
];

/** CloudWatch takes periods of whole minutes. */
const periodOf = (minutes: number) => 60 * Math.max(1, Math.ceil(minutes / 60));

/** `service`: the name of the stack, which is the namespace of its metrics. */
export function stackMetrics(service: string): (minutes: number) => Promise<Series[]> {
  return async (minutes) => {
    const period = periodOf(minutes);
    const end = Math.ceil(Date.now() / 1_000 / period) * period;
    const start = end - minutes * 60;
    const client = new CloudWatchClient({});
    try {
      const { MetricDataResults = [] } = await client.send(
        new GetMetricDataCommand({
          StartTime: new Date(start * 1_000),
          EndTime: new Date(end * 1_000),
          ScanBy: "TimestampAscending",
          MetricDataQueries: plots.map((plot) => queryOf(plot, service, period)),
        }),
      );
      return plots.map(({ id, name, unit }) => {
        const { Timestamps = [], Values = [] } = MetricDataResults.find(({ Id }) => Id === id) ?? {};
        const values = new Map(Timestamps.map((time, index) => [time.getTime() / 1_000, Values[index] ?? 0]));
        // CloudWatch has no point where nothing was counted.
        const starts = unit === "count" ? timesBetween(start, end, period) : [...values.keys()];
        return { name, unit, points: starts.map((at) => [at, values.get(at) ?? 0]) };
      });
    } finally {
      client.destroy();
    }
  };
}

function queryOf({ id, metric, stat }: Plot, service: string, period: number): MetricDataQuery {
  const Dimensions = [{ Name: "service", Value: service }];
  const Metric = { Namespace: service, MetricName: metric, Dimensions };
  return { Id: id, MetricStat: { Metric, Period: period, Stat: stat } };
}

function timesBetween(start: number, end: number, period: number): number[] {
  return Array.from({ length: Math.ceil((end - start) / period) }, (_, index) => start + index * period);
}
