import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import type { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import type { Settings } from "../stack/settings.ts";
import { spendingAlarm } from "./alarm-table.ts";

/**
 * Notifies the topic of what the whole account spends in a month. A budget of the stack alone would need a tag that an
 * administrator must activate first, and would be silent until then.
 */
export function addBudget(scope: Construct, topic: Topic, { monthlyBudgetUsd }: Settings): void {
  if (monthlyBudgetUsd === 0) return;
  const notify = (notificationType: "ACTUAL" | "FORECASTED", threshold: number) => ({
    notification: { notificationType, comparisonOperator: "GREATER_THAN", threshold, thresholdType: "PERCENTAGE" },
    subscribers: [{ subscriptionType: "SNS", address: topic.topicArn }],
  });
  const budget = new CfnBudget(scope, "budget", {
    budget: { budgetType: "COST", timeUnit: "MONTHLY", budgetLimit: { amount: monthlyBudgetUsd, unit: "USD" } },
    notificationsWithSubscribers: [
      notify("ACTUAL", spendingAlarm.actual),
      notify("FORECASTED", spendingAlarm.forecast),
    ],
  });
  // When a budget is created, AWS Budgets tests whether it may publish to the topic.
  budget.node.addDependency(topic);
}
