import { describe, expect, test } from "vitest";
import { fakes } from "../support/fake-functions.ts";
import { synth } from "../support/synth.ts";

const { all, idOf } = synth(fakes);

describe("alarms", () => {
  test("each names its runbook and notifies the topic", () => {
    const alarms = all("AWS::CloudWatch::Alarm");
    expect(alarms).toHaveLength(3);
    for (const [, { AlarmDescription, AlarmActions }] of alarms) {
      expect(AlarmDescription).toMatch(/README\.md#runbook-(dead-letters|api-errors|sweeper)$/);
      expect(AlarmActions).toEqual([{ Ref: idOf("AWS::SNS::Topic") }]);
    }
  });

  const alarmOf = (name: string) => {
    const [, { AlarmDescription, AlarmActions, Metrics, ...alarm }] =
      all("AWS::CloudWatch::Alarm").find(([id]) => id.startsWith(`alarms${name}`)) ?? [];
    return { ...alarm, expression: Metrics?.find((each: { Expression?: string }) => each.Expression)?.Expression };
  };

  test("one dead letter raises an alarm", () => {
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

  test("more than 2 % of server errors for ten minutes raise an alarm; missing data raise none", () => {
    expect(alarmOf("apierrors")).toEqual({
      expression: "IF(requests >= 50, 100 * errors / requests, 0)",
      Threshold: 2,
      ComparisonOperator: "GreaterThanThreshold",
      EvaluationPeriods: 2,
      TreatMissingData: "notBreaching",
    });
  });

  test("a sweeper that never runs or always fails raises an alarm, and so do missing data", () => {
    expect(alarmOf("sweeperruns")).toEqual({
      expression: "FILL(runs, 0) - FILL(errors, 0)",
      Threshold: 1,
      ComparisonOperator: "LessThanThreshold",
      EvaluationPeriods: 2,
      TreatMissingData: "breaching",
    });
  });

  test("CloudWatch may publish them, for this account only", () => {
    const [[, policy] = []] = all("AWS::SNS::TopicPolicy");
    expect(policy.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Effect: "Allow",
        Principal: { Service: "cloudwatch.amazonaws.com" },
        Condition: { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } },
      }),
    );
  });

  test("a mail address is subscribed when it is set", () => {
    expect(all("AWS::SNS::Subscription")).toEqual([]);
    const subscriptions = synth(fakes, { alarmEmail: "ops@example.com" }).all("AWS::SNS::Subscription");
    expect(subscriptions[0]?.[1]).toMatchObject({ Protocol: "email", Endpoint: "ops@example.com" });
  });
});
