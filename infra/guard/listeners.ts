// Whether anybody gets the alarms. AWS sends nothing to an address whose owner has not confirmed the subscription.
import { GetTopicAttributesCommand, SNSClient } from "@aws-sdk/client-sns";
import type { Deployed } from "./deployed.ts";
import type { Template } from "./template.ts";

/** Returns a warning if nobody gets the alarms or the notices of the budget. A deployment need not wait for it. */
export async function listenerWarnings(next: Template, deployed: Deployed): Promise<string[]> {
  const alarms = `the ${ofType(next, "AWS::CloudWatch::Alarm").length} alarms`;
  const [budget] = ofType(next, "AWS::Budgets::Budget");
  const who = budget ? `${alarms} and the budget` : alarms;
  if (!deployed.template) return firstWarnings(next, who, budget !== undefined);
  const [topic] = ofType(deployed.template, "AWS::SNS::Topic").flatMap((id) => deployed.physicalIds[id] ?? []);
  return topic === undefined ? [] : topicWarnings(topic, who);
}

const ofType = ({ Resources }: Template, type: string) =>
  Object.entries(Resources).flatMap(([id, { Type }]) => (Type === type ? [id] : []));

function firstWarnings(next: Template, who: string, hasBudget: boolean): string[] {
  return [
    ...(ofType(next, "AWS::SNS::Subscription").length > 0
      ? []
      : [`The setting alarmEmail is empty, so ${who} will tell nobody.`]),
    ...(hasBudget ? [] : ["The setting monthlyBudgetUsd is 0, so nobody will be told what the account spends."]),
  ];
}

async function topicWarnings(TopicArn: string, who: string): Promise<string[]> {
  const client = new SNSClient({});
  try {
    const { Attributes = {} } = await client.send(new GetTopicAttributesCommand({ TopicArn }));
    if (Number(Attributes.SubscriptionsConfirmed) > 0) return [];
    const how =
      Number(Attributes.SubscriptionsPending) > 0
        ? "A subscription waits for its confirmation: open the link in the mail."
        : `Set alarmEmail, or run: aws sns subscribe --topic-arn ${TopicArn} --protocol email --notification-endpoint ADDRESS`;
    return [`The topic of the alarms has no confirmed subscription, so ${who} tell nobody. ${how}`];
  } catch (thrown) {
    const { name, message } = thrown as Error;
    return [`Whether anybody is told of the alarms cannot be read: ${name}: ${message}`];
  } finally {
    client.destroy();
  }
}
