// Each alarm requires an operator to act. `alarm-table.ts` says when it fires, and the runbook what to do.
import { Duration, Stack } from "aws-cdk-lib";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import { FilterPattern, type ILogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import { chunks } from "../../lib/concurrency.ts";
import type { Metrics } from "../../lib/metrics.ts";
import type { JobQueues } from "../stack/queues.ts";
import type { Settings } from "../stack/settings.ts";
import { type AlarmName, type AlarmRow, alarmTable } from "./alarm-table.ts";

/** CloudWatch takes at most ten metrics in the expression of an alarm. */
const metricsMax = 10;
/** With fewer unexpected errors in a period, the share of errors says nothing: one of a few calls is over 2 %. */
const unexpectedMin = 3;

export class Alarms extends Construct {
  /** Also gets the notifications of AWS Budgets. */
  readonly topic: Topic;
  readonly all: Alarm[] = [];
  /** Those that a fault of a release raises (`goesBack`). */
  readonly ofReleases: Alarm[] = [];
  private readonly service: string;

  constructor(scope: Construct, { alarmEmail, stackName }: Settings) {
    super(scope, "alarms");
    this.service = stackName;
    this.topic = new Topic(this, "topic", { enforceSSL: true });
    // A custom policy replaces the topic's default policy, which lets alarms of the same account publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        actions: ["sns:Publish"],
        resources: [this.topic.topicArn],
        principals: [new ServicePrincipal("cloudwatch.amazonaws.com"), new ServicePrincipal("budgets.amazonaws.com")],
        conditions: { StringEquals: { "aws:SourceAccount": Stack.of(this).account } },
      }),
    );
    if (alarmEmail) this.topic.addSubscription(new EmailSubscription(alarmEmail));
  }

  /** Alarms on the metrics in the log lines of the functions. */
  forService(): void {
    const metric = (name: Parameters<typeof serviceMetric>[1], statistic = "sum") =>
      serviceMetric(this.service, name, statistic);
    this.add("failed-jobs", metric("failedJobs"));
    this.add("webhook-backlog", metric("webhookBacklogSeconds", "max"));
    this.add("message-backlog", metric("messageBacklogSeconds", "max"));
    this.add("dynamodb-throttles", metric("dynamodbThrottles"));
    this.add("kms-throttles", metric("kmsThrottles"));
    this.add("refused-credentials", metric("refusedCredentials"));
    // Without a dimension, the metric counts all functions of the account: they share its concurrency.
    this.add("lambda-throttles", new Metric({ namespace: "AWS/Lambda", metricName: "Throttles", statistic: "sum" }));
  }

  /** SES counts bounces and complaints of the whole account, and acts on them. */
  forSender(): void {
    this.add("sender-refusals", serviceMetric(this.service, "senderRefusals", "sum"));
    const share = (metricName: string) => new Metric({ namespace: "AWS/SES", metricName, statistic: "max" });
    const [bounces, complaints] = ["FILL(bounces, 0) / 0.05", "FILL(complaints, 0) / 0.001"];
    const worst = new MathExpression({
      expression: `100 * IF(${bounces} > ${complaints}, ${bounces}, ${complaints})`,
      usingMetrics: { bounces: share("Reputation.BounceRate"), complaints: share("Reputation.ComplaintRate") },
      label: "of what SES accepts, %",
    });
    this.add("bounces-and-complaints", worst);
  }

  forLive(): void {
    this.add("live-failures", serviceMetric(this.service, "liveFailures", "sum"));
  }

  forQueues(queues: JobQueues): void {
    for (const [kind, { queue, deadLetters }] of queues) {
      const visible = deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: "max" });
      this.add("dead-letters", visible, { prefix: kind });
      this.add("queue-age", queue.metricApproximateAgeOfOldestMessage({ statistic: "max" }), { prefix: kind });
    }
  }

  forWorkers(workers: readonly Lambda[]): void {
    for (const [index, group] of chunks(workers, metricsMax).entries()) {
      const usingMetrics = Object.fromEntries(
        group.map((worker, at) => [
          `m${at}`,
          worker.metric("RecursiveInvocationsDropped", { statistic: "sum" }) as IMetric,
        ]),
      );
      const expression = Object.keys(usingMetrics)
        .map((name) => `FILL(${name}, 0)`)
        .join(" + ");
      const sum = new MathExpression({ expression, usingMetrics, label: "messages" });
      this.add("recursion", sum, index > 0 ? { prefix: String(index) } : {});
    }
  }

  /**
   * Counts the gateway's server errors, which include calls that no function answered. Subtracts those that a function
   * logged as expected: the contract states some outcomes with HTTP status 500.
   */
  forApi(apiId: string, accessLogs: ILogGroup): void {
    const metric = (metricName: string) =>
      new Metric({ namespace: "AWS/ApiGateway", metricName, dimensionsMap: { ApiId: apiId }, statistic: "sum" });
    const unexpected = "(errors - FILL(expected, 0))";
    const errors = new MathExpression({
      expression: `IF(${unexpected} >= ${unexpectedMin}, 100 * ${unexpected} / requests, 0)`,
      usingMetrics: {
        requests: metric("Count"),
        errors: metric("5xx"),
        expected: serviceMetric(this.service, "expectedFailures", "sum"),
      },
      label: "server errors, %",
    });
    this.add("api-errors", errors);
    // The gateway has no metric for this. A 429 of the function has the id of its invocation.
    const refused = new MetricFilter(this, "gateway-throttles-filter", {
      logGroup: accessLogs,
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue("$.status", "=", "429"),
        FilterPattern.stringValue("$.function_request_id", "=", "-"),
      ),
      metricNamespace: this.service,
      metricName: "gatewayThrottles",
    });
    this.add("api-throttles", refused.metric({ statistic: "sum" }));
  }

  /** Counts successful runs, because a function that never starts has no errors. */
  forSweeper(sweeper: Lambda): void {
    const runs = new MathExpression({
      expression: "FILL(runs, 0) - FILL(errors, 0)",
      usingMetrics: { runs: sweeper.metricInvocations(), errors: sweeper.metricErrors() },
      label: "successful runs",
    });
    this.add("sweeper", runs);
  }

  /** `prefix`: tells several alarms of one row apart. */
  private add(name: AlarmName, metric: Metric | MathExpression, { prefix }: { prefix?: string } = {}): void {
    const { says, threshold, isBelow, periodMinutes, periods, goesBack }: AlarmRow = alarmTable[name];
    const subject = prefix === undefined ? says : `${prefix}: ${says}`;
    const alarm = new Alarm(this, prefix === undefined ? name : `${prefix}-${name}`, {
      alarmDescription: `${subject} What to do: infra/RUNBOOK.md#${name}`,
      metric: metric.with({ period: Duration.minutes(periodMinutes) }),
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: isBelow
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // Where too few are a fault, missing data is a fault too.
      treatMissingData: isBelow ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    this.all.push(alarm);
    if (goesBack) this.ofReleases.push(alarm);
  }
}

/** A metric that the log lines of the functions carry. */
function serviceMetric(service: string, metricName: keyof Metrics, statistic: string): Metric {
  return new Metric({ namespace: service, metricName, dimensionsMap: { service }, statistic });
}
