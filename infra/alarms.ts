// Each alarm requires an operator to act. Its description links to the section of the runbook.
import { Duration, Stack } from "aws-cdk-lib";
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
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
import type { JobQueues } from "./queues.ts";
import type { Settings } from "./settings.ts";

export class Alarms extends Construct {
  private readonly topic: Topic;

  constructor(scope: Construct, { alarmEmail }: Settings) {
    super(scope, "alarms");
    this.topic = new Topic(this, "topic", { enforceSSL: true });
    // A custom policy replaces the topic's default policy, which lets alarms of the same account publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        actions: ["sns:Publish"],
        resources: [this.topic.topicArn],
        principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
        conditions: { StringEquals: { "aws:SourceAccount": Stack.of(this).account } },
      }),
    );
    if (alarmEmail) this.topic.addSubscription(new EmailSubscription(alarmEmail));
  }

  forDeadLetters(queues: JobQueues): void {
    for (const [kind, { deadLetters }] of queues) {
      this.add(`${kind}-dead-letters`, "dead-letters", {
        alarmDescription: `A message of a ${kind} job is in the dead-letter queue.`,
        metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1), statistic: "max" }),
        threshold: 1,
        evaluationPeriods: 1,
      });
    }
  }

  /** Counts the log lines of jobs that have failed for good. */
  forFailedJobs(workerLogs: ILogGroup): void {
    const { stackName } = Stack.of(this);
    const filter = new MetricFilter(this, "failed-jobs-filter", {
      logGroup: workerLogs,
      filterPattern: FilterPattern.stringValue("$.message", "=", "job failed"),
      metricNamespace: stackName,
      metricName: "FailedJobs",
    });
    this.add("failed-jobs", "failed-jobs", {
      alarmDescription: "A job has failed ten times in a row and does not run again by itself.",
      metric: filter.metric({ period: Duration.minutes(1), statistic: "sum" }),
      threshold: 1,
      evaluationPeriods: 1,
    });
  }

  /**
   * Counts the gateway's server errors, which include calls that no function answered. Subtracts those that a function
   * logged as expected: the contract states some outcomes with HTTP status 500.
   */
  forApi(apiId: string, endpointLogs: ILogGroup): void {
    const expected = new MetricFilter(this, "expected-failures-filter", {
      logGroup: endpointLogs,
      filterPattern: FilterPattern.all(
        FilterPattern.stringValue("$.message", "=", "call"),
        FilterPattern.stringValue("$.level", "=", "info"),
        FilterPattern.numberValue("$.http", ">=", 500),
      ),
      metricNamespace: Stack.of(this).stackName,
      metricName: "ExpectedFailures",
      defaultValue: 0,
    });
    const metric = (metricName: string) =>
      new Metric({ namespace: "AWS/ApiGateway", metricName, dimensionsMap: { ApiId: apiId }, statistic: "sum" });
    this.add("api-errors", "api-errors", {
      alarmDescription: "More than 2 % of the API's responses are unexpected server errors (5xx).",
      metric: new MathExpression({
        // With fewer than 50 requests, a single failure would raise the alarm.
        expression: "IF(requests >= 50, 100 * (errors - FILL(expected, 0)) / requests, 0)",
        usingMetrics: {
          requests: metric("Count"),
          errors: metric("5xx"),
          expected: expected.metric({ statistic: "sum" }),
        },
        label: "server errors, %",
        period: Duration.minutes(5),
      }),
      threshold: 2,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 2,
    });
  }

  /** Counts successful runs, because a function that never starts has no errors. */
  forSchedule(name: string, lambda: Lambda, everyMinutes: number): void {
    this.add(`${name}-runs`, name, {
      alarmDescription: `No run of the ${name} has succeeded in the last ten intervals.`,
      metric: new MathExpression({
        expression: "FILL(runs, 0) - FILL(errors, 0)",
        usingMetrics: { runs: lambda.metricInvocations(), errors: lambda.metricErrors() },
        label: "successful runs",
        period: Duration.minutes(5 * everyMinutes),
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 2,
      treatMissingData: TreatMissingData.BREACHING,
    });
  }

  private add(name: string, runbook: string, props: AlarmProps): void {
    const alarm = new Alarm(this, name, {
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...props,
      alarmDescription: `${props.alarmDescription} What to do: infra/RUNBOOK.md#${runbook}`,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }
}
