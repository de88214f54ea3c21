import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import type { Metrics } from "../../lib/metrics.ts";

/** A metric that the log lines of the functions carry. */
export function serviceMetric(service: string, metricName: keyof Metrics, statistic: string): Metric {
  return new Metric({ namespace: service, metricName, dimensionsMap: { service }, statistic });
}
