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
