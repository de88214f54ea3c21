import { GetTopicAttributesCommand } from "@aws-sdk/client-sns";
import { expect, test } from "vitest";
import {
  created,
  deployed,
  hasSubscriptions,
  mockGuard,
  own,
  passed,
  runGuard,
  sns,
  templateOf,
  topicArn,
} from "../../support/guard.ts";

mockGuard();

const warned = (text: string) => ({ ...passed, stderr: `Warning: ${text}\n` });

test("a topic without a subscription is told, with the command that subscribes an address", async () => {
  hasSubscriptions(0);
  const how = `Set alarmEmail, or run: aws sns subscribe --topic-arn ${topicArn} --protocol email --notification-endpoint ADDRESS`;
  expect(await runGuard({ s: own })).toEqual(
    warned(`The topic of the alarms has no confirmed subscription, so the 13 alarms tell nobody. ${how}`),
  );
  expect(sns.commandCalls(GetTopicAttributesCommand).map(({ args: [{ input }] }) => input)).toEqual([
    { TopicArn: topicArn },
  ]);
});

test("a subscription that nobody has confirmed is told, and that the budget uses the same topic", async () => {
  hasSubscriptions(0, 1);
  expect(await runGuard({ s: templateOf({ monthlyBudgetUsd: 100 }) })).toEqual(
    warned(
      "The topic of the alarms has no confirmed subscription, so the 13 alarms and the budget tell nobody. A subscription waits for its confirmation: open the link in the mail.",
    ),
  );
});

test("a first deployment without an address and a budget is told, and one with both is not", async () => {
  deployed(undefined);
  expect(await runGuard({ s: own }, "--first")).toEqual(created);
  const settings = { alarmEmail: "operator@example.com", monthlyBudgetUsd: 100 };
  expect(await runGuard({ s: templateOf(settings) }, "--first")).toEqual({ ...created, stderr: "" });
});

test("a topic that cannot be asked refuses no deployment", async () => {
  sns.on(GetTopicAttributesCommand).rejects(Object.assign(new Error("not allowed"), { name: "AuthorizationError" }));
  expect(await runGuard({ s: own })).toEqual(
    warned("Whether anybody is told of the alarms cannot be read: AuthorizationError: not allowed"),
  );
});
