// Evaluates each alarm of the template over the metrics of a healthy and of a faulty hour. The metrics of the
// service come from the log lines of its bundles, those of AWS's own services are made here.
import { beforeAll, expect, it } from "vitest";
import { alarmTable } from "../../../infra/watch/alarm-table.ts";
import { type AlarmProperties, fires } from "../../support/cloudwatch/alarm-states.ts";
import { type Datum, embeddedMetrics, filteredMetrics } from "../../support/cloudwatch/metrics.ts";
import { fakes, purge, sweeper } from "../../support/fake-functions.ts";
import { type Recorded, recordLines } from "../../support/log-scenes.ts";
import { emailFrom } from "../../support/senders.ts";
import { synth } from "../../support/synth.ts";

const { all, idOf } = synth(fakes, { emailFrom, live: true });
const alarms = new Map(
  all("AWS::CloudWatch::Alarm").map(([, each]) => [
    /RUNBOOK\.md#([\w-]+)$/.exec(each.AlarmDescription)?.[1] as keyof typeof alarmTable,
    each as AlarmProperties,
  ]),
);

const minute = 60_000;
/** A full period of every length that the alarms have. */
const from = Date.parse("2026-11-22T12:00:00Z");
const to = from + 60 * minute;

type Line = Record<string, unknown>;

/** The metrics of these lines if they are written `times` in each minute. */
function eachMinute(lines: readonly Line[], times = 1): Datum[] {
  const once = embeddedMetrics(lines);
  return minutes().flatMap((at) => Array.from({ length: times }, () => once.map((datum) => ({ ...datum, at }))).flat());
}

const minutes = () => Array.from({ length: 60 }, (_, index) => from + index * minute);
const made = (namespace: string, name: string, dimensions: object, value: number): Datum[] =>
  minutes().map((at) => ({ namespace, name, dimensions: { ...dimensions }, at, value }));

const functionName = (summary: string) => {
  const [id] = all("AWS::Lambda::Function").find(([, { Description }]) => Description === summary) ?? [];
  return { FunctionName: { Ref: id } };
};
const queueName = (prefix: string) => ({ QueueName: { "Fn::GetAtt": [idOf("AWS::SQS::Queue", prefix), "QueueName"] } });
const api = { ApiId: { Ref: idOf("AWS::ApiGatewayV2::Api") } };
const requests = (count: number, failed: number) => [
  ...made("AWS/ApiGateway", "Count", api, count),
  ...made("AWS/ApiGateway", "5xx", api, failed),
];
const sweeps = (runs: number, errors: number) => [
  ...made("AWS/Lambda", "Invocations", functionName(sweeper.summary), runs),
  ...made("AWS/Lambda", "Errors", functionName(sweeper.summary), errors),
];
const reputation = (bounces: number, complaints: number) => [
  ...made("AWS/SES", "Reputation.BounceRate", {}, bounces),
  ...made("AWS/SES", "Reputation.ComplaintRate", {}, complaints),
];
const gatewayReplies = (status: string, functionRequestId: string, times: number) => {
  const [, filter] = all("AWS::Logs::MetricFilter")[0] ?? [];
  const lines = minutes().map((at) => ({ at, status, function_request_id: functionRequestId }));
  return filteredMetrics(filter, Array.from({ length: times }, () => lines).flat());
};

let lines: Recorded;
beforeAll(async () => {
  lines = await recordLines();
});

/** What happens in each minute. The healthy run has what is nearly a fault, or an outcome that is expected. */
const runs: Record<keyof typeof alarmTable, { healthy: () => Datum[]; faulty: () => Datum[] }> = {
  "api-errors": {
    healthy: () => [...requests(100, 10), ...eachMinute(lines.done, 90), ...eachMinute(lines.expectedFailure, 10)],
    faulty: () => [...requests(100, 12), ...eachMinute(lines.expectedFailure, 9), ...eachMinute(lines.failure, 3)],
  },
  "failed-jobs": {
    healthy: () => [...eachMinute(lines.jobDone), ...eachMinute(lines.jobThrew)],
    faulty: () => eachMinute(lines.jobFailed),
  },
  "dead-letters": {
    healthy: () => made("AWS/SQS", "ApproximateNumberOfMessagesVisible", queueName("purgedeadletters"), 0),
    faulty: () => made("AWS/SQS", "ApproximateNumberOfMessagesVisible", queueName("purgedeadletters"), 1),
  },
  "queue-age": {
    healthy: () => made("AWS/SQS", "ApproximateAgeOfOldestMessage", queueName("purgequeue"), 900),
    faulty: () => made("AWS/SQS", "ApproximateAgeOfOldestMessage", queueName("purgequeue"), 1_300),
  },
  "webhook-backlog": {
    healthy: () => eachMinute(lines.drained),
    faulty: () => eachMinute(lines.backlog),
  },
  "message-backlog": {
    healthy: () => [...eachMinute(lines.mailSent), ...eachMinute(lines.mailPaused)],
    faulty: () => eachMinute(lines.mailBacklog),
  },
  "sender-refusals": {
    // SES finds fault with the content of each.
    healthy: () => [...eachMinute(lines.mailSent), ...eachMinute(lines.mailContentRefused, 20)],
    faulty: () => eachMinute(lines.mailSuspended).filter(({ at }) => at % (30 * minute) === 0),
  },
  "bounces-and-complaints": {
    healthy: () => reputation(0.039, 0.0007),
    faulty: () => reputation(0.001, 0.0009),
  },
  "live-failures": {
    // In the first seconds of a window, a message goes to two channels.
    healthy: () => eachMinute(lines.liveFailed, 9),
    faulty: () => eachMinute(lines.liveFailed, 20),
  },
  sweeper: {
    // One run in five minutes succeeds.
    healthy: () => sweeps(1, 1).filter(({ name, at }) => name !== "Errors" || at % (5 * minute) !== 0),
    faulty: () => sweeps(1, 1),
  },
  "api-throttles": {
    // Replies of a function with status 429 have the id of its invocation.
    healthy: () => [...gatewayReplies("429", "5f1c", 100), ...gatewayReplies("429", "-", 5)],
    faulty: () => gatewayReplies("429", "-", 12),
  },
  "lambda-throttles": {
    healthy: () => made("AWS/Lambda", "Throttles", {}, 1),
    faulty: () => made("AWS/Lambda", "Throttles", {}, 2),
  },
  "dynamodb-throttles": {
    healthy: () => [...eachMinute(lines.done, 100), ...eachMinute(lines.tableThrottled)],
    faulty: () => eachMinute(lines.tableThrottled, 20),
  },
  "kms-throttles": {
    healthy: () => [...eachMinute(lines.done, 100), ...eachMinute(lines.keyThrottled)],
    faulty: () => eachMinute(lines.keyThrottled, 10),
  },
  recursion: {
    healthy: () => made("AWS/Lambda", "RecursiveInvocationsDropped", functionName(purge.summary), 0),
    faulty: () => made("AWS/Lambda", "RecursiveInvocationsDropped", functionName(purge.summary), 1),
  },
  "refused-credentials": {
    healthy: () => [...eachMinute(lines.refused, 10), ...eachMinute(lines.workspaceThrottled, 500)],
    faulty: () => eachMinute(lines.refused, 60),
  },
};

const alarmOf = (name: keyof typeof alarmTable) => alarms.get(name) ?? expect.fail(`There is no alarm ${name}.`);

it("the template has exactly the alarms of the table", () => {
  expect([...alarms.keys()].sort()).toEqual(Object.keys(alarmTable).sort());
});

it.each(Object.keys(alarmTable) as (keyof typeof alarmTable)[])("%s fires in a faulty run only", (name) => {
  const { healthy, faulty } = runs[name];
  expect(fires(alarmOf(name), faulty(), from, to)).toBe(true);
  expect(fires(alarmOf(name), healthy(), from, to)).toBe(false);
});

it("api-errors fires when all of a few calls fail, and not when one of them does", () => {
  expect(fires(alarmOf("api-errors"), requests(1, 1), from, to)).toBe(true);
  const isNoError = ({ name, at }: Datum) => name !== "5xx" || at % (5 * minute) === 0;
  expect(fires(alarmOf("api-errors"), requests(1, 1).filter(isNoError), from, to)).toBe(false);
});

it("bounces-and-complaints fires for bounces alone", () => {
  const bounces = reputation(0.041, 0).filter(({ name }) => name === "Reputation.BounceRate");
  expect(fires(alarmOf("bounces-and-complaints"), bounces, from, to)).toBe(true);
});

it("no alarm but that of the sweeper fires without traffic", () => {
  const firing = [...alarms].filter(([, alarm]) => fires(alarm, [], from, to));
  expect(firing.map(([name]) => name)).toEqual(["sweeper"]);
});
