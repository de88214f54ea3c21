import { describe, expect, test } from "vitest";
import { messagesGet } from "../../../functions/messages/messages-get.ts";
import { deployables } from "../../../infra/deployables.ts";
import { fakes, purge } from "../../support/fake-functions.ts";
import { synth } from "../../support/synth.ts";

const emailFrom = "updates@mail.example.com";
const { all, allowed, lambda, idOf } = synth(deployables, { emailFrom, live: true });
const setId = idOf("AWS::SES::ConfigurationSet");

describe("without emailFrom", () => {
  const without = synth(fakes);

  test("no function may send mail, and nothing of SES is made", () => {
    expect(JSON.stringify(without.template.toJSON())).not.toContain("ses:");
    expect(without.all("AWS::SES::ConfigurationSet")).toEqual([]);
    expect(without.lambda(purge).Environment.Variables).not.toHaveProperty("EMAIL_FROM");
  });
});

describe("with emailFrom", () => {
  test("only the worker and the endpoint for tests may send, and they know the address and the configuration set", () => {
    // The list of messages tells whether there is a sender.
    expect(lambda(messagesGet).Environment.Variables).toMatchObject({ EMAIL_FROM: emailFrom });
    const sending = deployables.filter((each) => JSON.stringify(allowed(each)).includes("ses:"));
    expect(sending.map(({ name }) => name).sort()).toEqual(["emailconfig-test", "message"]);
    for (const each of sending) {
      expect(lambda(each).Environment.Variables).toMatchObject({
        EMAIL_FROM: emailFrom,
        EMAIL_CONFIGURATION_SET: { Ref: setId },
      });
    }
  });

  test("bounces and complaints of the configuration set go to the default bus, and by a rule to the queue", () => {
    const [[, destination] = []] = all("AWS::SES::ConfigurationSetEventDestination");
    expect(destination).toMatchObject({
      ConfigurationSetName: { Ref: setId },
      EventDestination: { Enabled: true, MatchingEventTypes: ["bounce", "complaint"], EventBridgeDestination: {} },
    });
    const rules = all("AWS::Events::Rule").map(([, properties]) => properties);
    const rule = rules.find(({ EventPattern }) => EventPattern);
    expect(rule.EventPattern).toEqual({
      source: ["aws.ses"],
      "detail-type": ["Email Bounced", "Email Complaint Received"],
      detail: { mail: { tags: { "ses:configuration-set": [{ Ref: setId }] } } },
    });
    const [queue, deadLetters] = ["feedbackqueue", "feedbackdeadletters"].map((prefix) =>
      idOf("AWS::SQS::Queue", prefix),
    );
    expect(rule.Targets).toEqual([
      expect.objectContaining({
        Arn: { "Fn::GetAtt": [queue, "Arn"] },
        DeadLetterConfig: { Arn: { "Fn::GetAtt": [deadLetters, "Arn"] } },
      }),
    ]);
    expect(JSON.stringify(all("AWS::SQS::QueuePolicy"))).toContain("events.amazonaws.com");
  });

  test("SES's own list of suppressed addresses is off, since it would be for all workspaces", () => {
    const [[, set] = []] = all("AWS::SES::ConfigurationSet");
    expect(set.SuppressionOptions).toEqual({ SuppressedReasons: [] });
  });
});
