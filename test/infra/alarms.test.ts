import { describe, expect, test } from "vitest";
import { fakes } from "../support/fake-functions.ts";
import { synth } from "../support/synth.ts";

const { all, idOf } = synth(fakes);

describe("alarms", () => {
  test("link to their runbook, and notify the topic", () => {
    const alarms = all("AWS::CloudWatch::Alarm");
    expect(alarms).toHaveLength(4);
    for (const [, { AlarmDescription, AlarmActions }] of alarms) {
      expect(AlarmDescription).toMatch(/infra\/RUNBOOK\.md#(dead-letters|failed-jobs|api-errors|sweeper)$/);
      expect(AlarmActions).toEqual([{ Ref: idOf("AWS::SNS::Topic") }]);
    }
  });

  const filterOf = (name: string) =>
    all("AWS::Logs::MetricFilter").find(([, each]) => each.MetricTransformations[0].MetricName === name)?.[1];
  const alarmOf = (name: string) => {
    const [, { AlarmDescription, AlarmActions, Metrics, ...alarm }] =
      all("AWS::CloudWatch::Alarm").find(([id]) => id.startsWith(`alarms${name}`)) ?? [];
    return { ...alarm, expression: Metrics?.find((each: { Expression?: string }) => each.Expression)?.Expression };
  };

  test("are raised by one dead letter", () => {
    expect(alarmOf("purgedeadletters")).toEqual({
      Namespace: "AWS/SQS",
      MetricName: "ApproximateNumberOfMessagesVisible",
      Dimensions: [{ Name: "QueueName", Value: { "Fn::GetAtt": [expect.stringContaining("dead"), "QueueName"] } }],
      Statistic: "Maximum",
      Period: 60,
      Threshold: 1,
      ComparisonOperator: "GreaterThanOrEqualToThreshold",
      EvaluationPeriods: 1,
      TreatMissingData: "notBreaching",
    });
  });

  test("are raised by one log line of a worker that says that a job failed", () => {
    expect(filterOf("FailedJobs")).toMatchObject({
      FilterPattern: '{ $.message = "job failed" }',
      LogGroupName: { Ref: idOf("AWS::Logs::LogGroup", "workerlogs") },
      MetricTransformations: [{ MetricName: "FailedJobs", MetricValue: "1" }],
    });
    expect(alarmOf("failedjobs")).toMatchObject({
      MetricName: "FailedJobs",
      Statistic: "Sum",
      Threshold: 1,
      ComparisonOperator: "GreaterThanOrEqualToThreshold",
      TreatMissingData: "notBreaching",
    });
  });

  test("are raised by unexpected server errors in over 2 % of at least 50 requests, and not by missing data", () => {
    expect(alarmOf("apierrors")).toEqual({
      expression: "IF(requests >= 50, 100 * (errors - FILL(expected, 0)) / requests, 0)",
      Threshold: 2,
      ComparisonOperator: "GreaterThanThreshold",
      EvaluationPeriods: 2,
      TreatMissingData: "notBreaching",
    });
  });

  test("do not count the server errors that a function logged as expected", () => {
    expect(filterOf("ExpectedFailures")).toMatchObject({
      FilterPattern: '{ ($.message = "call") && ($.level = "info") && ($.http >= 500) }',
      LogGroupName: { Ref: idOf("AWS::Logs::LogGroup", "endpointlogs") },
      MetricTransformations: [{ MetricName: "ExpectedFailures", MetricValue: "1", DefaultValue: 0 }],
    });
  });

  test("are raised by a sweeper that does not run or always fails, and by missing data", () => {
    expect(alarmOf("sweeperruns")).toEqual({
      expression: "FILL(runs, 0) - FILL(errors, 0)",
      Threshold: 1,
      ComparisonOperator: "LessThanThreshold",
      EvaluationPeriods: 2,
      TreatMissingData: "breaching",
    });
  });

  test("may be published by CloudWatch for this account only", () => {
    const [[, policy] = []] = all("AWS::SNS::TopicPolicy");
    expect(policy.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Effect: "Allow",
        Principal: { Service: "cloudwatch.amazonaws.com" },
        Condition: { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } },
      }),
    );
  });

  test("are sent to a mail address only if the setting has one", () => {
    expect(all("AWS::SNS::Subscription")).toEqual([]);
    const subscriptions = synth(fakes, { alarmEmail: "ops@example.com" }).all("AWS::SNS::Subscription");
    expect(subscriptions[0]?.[1]).toMatchObject({ Protocol: "email", Endpoint: "ops@example.com" });
  });
});
