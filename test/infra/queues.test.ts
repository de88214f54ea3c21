import { describe, expect, test } from "vitest";
import { fakes, purge } from "../support/fake-functions.ts";
import { synth } from "../support/synth.ts";

const { all, arn, idOf, template } = synth(fakes);

describe("queues", () => {
  const [, queue] = all("AWS::SQS::Queue").find(([id]) => id.startsWith("purgequeue")) ?? [];
  const deadLetters = idOf("AWS::SQS::Queue", "purgedead");

  test("each has a dead-letter queue of 14 days, with an alarm on its first message", () => {
    expect(queue.RedrivePolicy).toEqual({
      deadLetterTargetArn: arn("AWS::SQS::Queue", "purgedead"),
      maxReceiveCount: 10,
    });
    template.hasResourceProperties("AWS::SQS::Queue", { MessageRetentionPeriod: 14 * 24 * 3_600 });
    template.hasResourceProperties("AWS::CloudWatch::Alarm", {
      Dimensions: [{ Name: "QueueName", Value: { "Fn::GetAtt": [deadLetters, "QueueName"] } }],
      Threshold: 1,
    });
  });

  test("each is encrypted, refuses plain HTTP and hides a message for six of its worker's timeouts", () => {
    for (const [, each] of all("AWS::SQS::Queue")) expect(each.SqsManagedSseEnabled).toBe(true);
    expect(all("AWS::SQS::QueuePolicy")).toHaveLength(all("AWS::SQS::Queue").length);
    expect(queue.VisibilityTimeout).toBe(6 * purge.timeoutSeconds);
  });

  test("a worker reports which jobs of a batch failed", () => {
    template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      EventSourceArn: arn("AWS::SQS::Queue", "purgequeue"),
      BatchSize: 10,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
    });
  });
});
