// The states of an alarm of the template over a time, as CloudWatch evaluates it at the end of each period.
import { evaluate, type Series } from "./math.ts";
import type { Datum } from "./metrics.ts";

interface Metric {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: unknown }[];
}

interface Query {
  Id: string;
  Expression?: string;
  MetricStat?: { Metric: Metric; Period: number; Stat: string };
}

export interface AlarmProperties extends Partial<Metric> {
  Statistic?: string;
  Period?: number;
  Metrics?: Query[];
  Threshold: number;
  ComparisonOperator: string;
  EvaluationPeriods: number;
  DatapointsToAlarm?: number;
  TreatMissingData: "breaching" | "notBreaching";
}

const statistics: Record<string, (values: number[]) => number> = {
  Sum: (values) => values.reduce((sum, each) => sum + each, 0),
  Maximum: (values) => Math.max(...values),
};

const comparisons: Record<string, (value: number, threshold: number) => boolean> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/** Whether the alarm is raised at any time between `from` and `to`, ms since the epoch. Before `from` it had no data. */
export function fires(alarm: AlarmProperties, data: readonly Datum[], from: number, to: number): boolean {
  const { Metrics, Threshold, EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, TreatMissingData } = alarm;
  const isBeyond = comparisons[alarm.ComparisonOperator];
  if (!isBeyond) throw new Error(`The comparison ${alarm.ComparisonOperator} is not implemented.`);
  const values = Metrics ? ofQueries(Metrics) : seriesOf(alarm as Metric, alarm.Statistic, alarm.Period);
  const isBreaching = values.map((value) =>
    value === undefined ? TreatMissingData === "breaching" : isBeyond(value, Threshold),
  );
  const windows = isBreaching
    .slice(EvaluationPeriods - 1)
    .map((_, at) => isBreaching.slice(at, at + EvaluationPeriods));
  return windows.some((window) => window.filter(Boolean).length >= DatapointsToAlarm);

  function ofQueries(queries: Query[]): Series {
    const series: Record<string, Series> = {};
    for (const { Id, MetricStat } of queries) {
      if (MetricStat) series[Id] = seriesOf(MetricStat.Metric, MetricStat.Stat, MetricStat.Period);
    }
    const [expression, ...more] = queries.flatMap(({ Expression }) => Expression ?? []);
    if (expression === undefined || more.length > 0) throw new Error("An alarm has one expression.");
    return evaluate(expression, series);
  }

  function seriesOf({ Namespace, MetricName, Dimensions = [] }: Metric, statistic = "", seconds = 0): Series {
    const aggregate = statistics[statistic];
    if (!aggregate) throw new Error(`The statistic ${statistic} is not implemented.`);
    const dimensions = Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]));
    const wanted = JSON.stringify([Namespace, MetricName, dimensions]);
    const ofMetric = data.filter((each) => JSON.stringify([each.namespace, each.name, each.dimensions]) === wanted);
    const length = Math.floor((to - from) / (seconds * 1_000));
    return Array.from({ length }, (_, index) => {
      const begin = from + index * seconds * 1_000;
      const inPeriod = ofMetric.filter(({ at }) => at >= begin && at < begin + seconds * 1_000);
      return inPeriod.length === 0 ? undefined : aggregate(inPeriod.map(({ value }) => value));
    });
  }
}
