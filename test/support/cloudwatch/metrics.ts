// Makes metrics of log lines, as CloudWatch does.

/** One value of a metric. A dimension's value can be a reference of the template. */
export interface Datum {
  namespace: string;
  name: string;
  dimensions: Record<string, unknown>;
  /** Ms since the epoch. */
  at: number;
  value: number;
}

type Line = Record<string, unknown>;

interface Embedded {
  Timestamp: number;
  CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[];
}

/** The metrics that the lines carry in the embedded metric format. Throws for a line that CloudWatch would ignore. */
export function embeddedMetrics(lines: readonly Line[]): Datum[] {
  return lines.flatMap((line) => {
    if (!line._aws) return [];
    const { Timestamp: at, CloudWatchMetrics } = line._aws as Embedded;
    return CloudWatchMetrics.flatMap(({ Namespace: namespace, Dimensions, Metrics }) =>
      Dimensions.flatMap((names) =>
        Metrics.map(({ Name: name }) => {
          const value = line[name];
          if (typeof value !== "number") throw new Error(`${name} is not a number.`);
          const dimensions = Object.fromEntries(names.map((each) => [each, textOf(line, each)]));
          return { namespace, name, dimensions, at, value };
        }),
      ),
    );
  });
}

function textOf(line: Line, name: string): string {
  const value = line[name];
  if (typeof value !== "string") throw new Error(`The dimension ${name} is not a text.`);
  return value;
}

export interface FilterProperties {
  FilterPattern: string;
  MetricTransformations: { MetricNamespace: string; MetricName: string; MetricValue: string }[];
}

/** The metrics that a metric filter makes of log lines. Each line has its time in `at`. */
export function filteredMetrics(filter: FilterProperties, lines: readonly (Line & { at: number })[]): Datum[] {
  const conditions = [...filter.FilterPattern.matchAll(/\$\.(\w+) = "([^"]*)"/g)];
  const rest = filter.FilterPattern.replaceAll(/\(?\$\.\w+ = "[^"]*"\)?/g, "");
  if (!/^\{[\s&]*\}$/.test(rest)) throw new Error(`The pattern ${filter.FilterPattern} is not implemented.`);
  return lines
    .filter((line) => conditions.every(([, name = "", text]) => line[name] === text))
    .flatMap(({ at }) =>
      filter.MetricTransformations.map(({ MetricNamespace: namespace, MetricName: name, MetricValue }) => {
        return { namespace, name, dimensions: {}, at, value: Number(MetricValue) };
      }),
    );
}
