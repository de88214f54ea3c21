import { describe, expect, test } from "vitest";
import { workers } from "../../../infra/deployables.ts";
import { fakes, purge } from "../../support/fake-functions.ts";
import { synth } from "../../support/synth.ts";

const { all, arn, idOf, lambda, template } = synth(fakes);

describe("queues", () => {
  const [, queue] = all("AWS::SQS::Queue").find(([id]) => id.startsWith("purgequeue")) ?? [];
  const deadLetters = idOf("AWS::SQS::Queue", "purgedead");

  test("have a dead-letter queue that keeps messages for 14 days, with an alarm on the first message", () => {
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

  test("are encrypted, refuse plain HTTP, and hide a received message for six timeouts of its worker", () => {
    for (const [, each] of all("AWS::SQS::Queue")) expect(each.SqsManagedSseEnabled).toBe(true);
    const policies = all("AWS::SQS::QueuePolicy");
    expect(policies).toHaveLength(all("AWS::SQS::Queue").length);
    const plainHttp = { Effect: "Deny", Action: "sqs:*", Condition: { Bool: { "aws:SecureTransport": "false" } } };
    for (const [, { PolicyDocument }] of policies) expect(PolicyDocument.Statement).toMatchObject([plainHttp]);
    expect(queue.VisibilityTimeout).toBe(6 * purge.timeoutSeconds);
  });

  test("have workers that Lambda does not stop when they send to their own queue, and no other function may", () => {
    const allowed = fakes.filter((each) => lambda(each).RecursiveLoop === "Allow");
    expect(allowed).toEqual(fakes.filter(({ kind }) => kind === "queue"));
    expect(fakes.map((each) => lambda(each).RecursiveLoop).filter((each) => each !== "Allow")).not.toContain(
      "Terminate",
    );
  });

  test("invoke a worker that reports which jobs of a batch failed", () => {
    template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      EventSourceArn: arn("AWS::SQS::Queue", "purgequeue"),
      BatchSize: 10,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
    });
  });

  // A slow receiver, model or provider of one workspace must not take all workers of a kind.
  test("invoke up to 100 workers at a time if they wait for others, and else up to 10", () => {
    const queued = workers.filter((each) => each.kind === "queue");
    // The purge unseals a key to sign receipts with, and waits for nobody.
    const waitForOthers = queued.filter(
      ({ name, grants }) => name !== "purge" && grants.some((grant) => grant.startsWith("key:unseal:")),
    );
    expect(waitForOthers.map(({ name }) => name).sort()).toEqual(["draft", "drain", "message", "notify"]);
    for (const each of queued) expect(each.concurrencyMax).toBe(waitForOthers.includes(each) ? 100 : 10);
  });
});
