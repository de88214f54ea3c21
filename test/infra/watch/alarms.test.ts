import { describe, expect, test } from "vitest";
import { alarmTable } from "../../../infra/watch/alarm-table.ts";
import { fakes } from "../../support/fake-functions.ts";
import { synth } from "../../support/synth.ts";

const { all, idOf } = synth(fakes, { emailFrom: "updates@example.com", live: true });
const alarms = all("AWS::CloudWatch::Alarm").map(([, properties]) => properties);

describe("alarms", () => {
  test("link to their runbook, and notify the topic", () => {
    expect(alarms).toHaveLength(16);
    const anchors = alarms.map(({ AlarmDescription }) => /infra\/RUNBOOK\.md#([\w-]+)$/.exec(AlarmDescription)?.[1]);
    expect(anchors.sort()).toEqual(Object.keys(alarmTable).sort());
    const topic = [{ Ref: idOf("AWS::SNS::Topic") }];
    for (const { AlarmActions, OKActions } of alarms) expect([AlarmActions, OKActions]).toEqual([topic, topic]);
  });

  test("have the thresholds of the table, and count missing data as a fault only where too few are one", () => {
    for (const { AlarmDescription, Threshold, EvaluationPeriods, Metrics, Period, ...alarm } of alarms) {
      const [, name = ""] = /#([\w-]+)$/.exec(AlarmDescription) ?? [];
      const row = alarmTable[name as keyof typeof alarmTable];
      const periods = Metrics?.flatMap((each: { MetricStat?: { Period: number } }) => each.MetricStat?.Period ?? []);
      for (const period of periods ?? [Period]) expect(period).toBe(60 * row.periodMinutes);
      expect([Threshold, EvaluationPeriods]).toEqual([row.threshold, row.periods]);
      const isBelow = "isBelow" in row;
      expect(alarm.TreatMissingData).toBe(isBelow ? "breaching" : "notBreaching");
      expect(alarm.ComparisonOperator).toBe(isBelow ? "LessThanThreshold" : "GreaterThanOrEqualToThreshold");
    }
  });

  test("on the service have its name as their only dimension", () => {
    const own = alarms.filter(({ Namespace }) => Namespace === "collaboration-backend");
    const names = ["dynamodbThrottles", "failedJobs", "gatewayThrottles", "kmsThrottles", "liveFailures"];
    const ofMessages = ["messageBacklogSeconds", "refusedCredentials", "senderRefusals", "webhookBacklogSeconds"];
    expect(own.map(({ MetricName }) => MetricName).sort()).toEqual([...names, ...ofMessages]);
    const Dimensions = [{ Name: "service", Value: "collaboration-backend" }];
    for (const alarm of own) {
      expect(alarm.Dimensions).toEqual(alarm.MetricName === "gatewayThrottles" ? undefined : Dimensions);
    }
  });

  test("watch SES only if the deployment sends with it", () => {
    const ofSes = alarms.filter(({ AlarmDescription }) =>
      /#(?:sender-refusals|bounces-and-complaints)$/.test(AlarmDescription),
    );
    const without = synth(fakes, { live: true }).all("AWS::CloudWatch::Alarm");
    expect([ofSes.length, without.length]).toEqual([2, alarms.length - 2]);
  });

  test("may be published by CloudWatch and Budgets for this account only", () => {
    const [[, policy] = []] = all("AWS::SNS::TopicPolicy");
    expect(policy.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({
        Effect: "Allow",
        Principal: { Service: ["cloudwatch.amazonaws.com", "budgets.amazonaws.com"] },
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

describe("the budget", () => {
  test("is created after the policy that lets it publish", () => {
    const { resources, idOf } = synth(fakes, { monthlyBudgetUsd: 200 });
    const [, budget] = resources.find(([, { Type }]) => Type === "AWS::Budgets::Budget") ?? [];
    expect(budget).toMatchObject({ DependsOn: expect.arrayContaining([idOf("AWS::SNS::TopicPolicy")]) });
  });

  test("notifies the topic of 80 % spent and of 100 % forecast, if the setting has one", () => {
    expect(all("AWS::Budgets::Budget")).toEqual([]);
    const [[, budget] = []] = synth(fakes, { monthlyBudgetUsd: 200 }).all("AWS::Budgets::Budget");
    expect(budget.Budget).toEqual({
      BudgetType: "COST",
      TimeUnit: "MONTHLY",
      BudgetLimit: { Amount: 200, Unit: "USD" },
    });
    const Subscribers = [{ SubscriptionType: "SNS", Address: { Ref: idOf("AWS::SNS::Topic") } }];
    const above = { ComparisonOperator: "GREATER_THAN", ThresholdType: "PERCENTAGE" };
    expect(budget.NotificationsWithSubscribers).toEqual([
      { Notification: { ...above, NotificationType: "ACTUAL", Threshold: 80 }, Subscribers },
      { Notification: { ...above, NotificationType: "FORECASTED", Threshold: 100 }, Subscribers },
    ]);
  });
});

describe("the dashboard", () => {
  const [[, dashboard] = []] = all("AWS::CloudWatch::Dashboard");
  /** The body, with a placeholder for each reference. */
  const text = dashboard.DashboardBody["Fn::Join"][1].map((part: unknown) => (typeof part === "string" ? part : "x"));
  const body = JSON.parse(text.join(""));

  test("has the name of the stack and its region, and shows all alarms and each queue", () => {
    expect(dashboard.DashboardName).toEqual({ "Fn::Join": ["", ["collaboration-backend-", { Ref: "AWS::Region" }]] });
    const [status, ...graphs] = body.widgets;
    expect(status.properties.alarms).toHaveLength(alarms.length);
    const titles = graphs.map(({ properties }: { properties: { title: string } }) => properties.title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles).toContain("Oldest message of each queue, s");
  });

  test("has a body of at most 10 KB, in which no graph overlaps another", () => {
    expect(text.join("").length).toBeLessThan(10_000);
    const places = body.widgets.map(({ x, y }: { x: number; y: number }) => `${x} ${y}`);
    expect(new Set(places).size).toBe(places.length);
  });
});
