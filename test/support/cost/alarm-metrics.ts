import { deployables } from "../../../infra/deployables.ts";
import { synth } from "../synth.ts";

const alarms = synth(deployables, { emailFrom: "updates@example.com" }).all("AWS::CloudWatch::Alarm");

/** The metrics of all alarms. CloudWatch bills an alarm for each metric in its expression. */
export const alarmMetrics = alarms.reduce((sum, [, { Metrics = [{ MetricStat: {} }] }]) => {
  return sum + Metrics.filter(({ MetricStat }: { MetricStat?: object }) => MetricStat).length;
}, 0);
