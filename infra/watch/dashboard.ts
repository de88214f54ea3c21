// One dashboard of the service, generated from the list of functions and queues. Its graphs show metrics that exist
// without it. Its queries of the logs cost only when somebody opens it.
import type { Stack } from "aws-cdk-lib";
import { type Alarm, CfnDashboard } from "aws-cdk-lib/aws-cloudwatch";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { Metrics } from "../../lib/metrics.ts";
import type { JobQueues } from "../stack/queues.ts";
import type { Settings } from "../stack/settings.ts";

interface Watched {
  alarms: readonly Alarm[];
  apiId: string;
  queues: JobQueues;
  endpointLogs: ILogGroup;
  workerLogs: ILogGroup;
  settings: Settings;
}

type MetricRow = (string | { stat: string })[];

/** Three graphs in a row of the 24 columns. */
const [width, height, perRow] = [8, 6, 3];

export function addDashboard(stack: Stack, watched: Watched): void {
  const { alarms, settings } = watched;
  const status = {
    type: "alarm",
    ...{ x: 0, y: 0, width: 24, height: 3 },
    properties: { title: "Alarms", alarms: alarms.map(({ alarmArn }) => alarmArn) },
  };
  const widgets = widgetsOf(watched, stack.region).map((widget, index) => ({
    ...widget,
    ...{ x: (index % perRow) * width, y: 3 + Math.floor(index / perRow) * height, width, height },
  }));
  new CfnDashboard(stack, "dashboard", {
    // The names of dashboards are those of the account, not of the region.
    dashboardName: `${settings.stackName}-${stack.region}`,
    dashboardBody: stack.toJsonString({ widgets: [status, ...widgets] }),
  });
}

function widgetsOf({ apiId, queues, endpointLogs, workerLogs, settings }: Watched, region: string) {
  const service = settings.stackName;
  const own = (name: keyof Metrics, stat = "Sum"): MetricRow => [service, name, "service", service, { stat }];
  const api = (name: string, stat = "Sum"): MetricRow => ["AWS/ApiGateway", name, "ApiId", apiId, { stat }];
  const ofQueues = (name: string, which: "queue" | "deadLetters"): MetricRow[] =>
    [...queues.values()].map((each) => ["AWS/SQS", name, "QueueName", each[which].queueName, { stat: "Maximum" }]);
  const graph = (title: string, metrics: MetricRow[]) => ({
    type: "metric",
    properties: { title, region, period: 300, metrics },
  });
  const query = (title: string, logs: ILogGroup, text: string) => ({
    type: "log",
    properties: { title, region, view: "table", query: `SOURCE '${logs.logGroupName}' | ${text}` },
  });
  const ses = (name: string): MetricRow => ["AWS/SES", name, { stat: "Maximum" }];
  const reputation = graph("Bounces and complaints of the SES account, share", [
    ses("Reputation.BounceRate"),
    ses("Reputation.ComplaintRate"),
  ]);
  const percentiles = (name: keyof Metrics) => ["p50", "p95", "p99"].map((stat) => own(name, stat));
  return [
    graph("Requests and errors of the API", [api("Count"), api("4xx"), api("5xx")]),
    graph("Calls", [own("calls"), own("failures"), own("expectedFailures"), own("coldStarts")]),
    graph("Duration of calls, ms", percentiles("durationMs")),
    graph("Refused calls", [
      own("throttled"),
      own("refusedCredentials"),
      [service, "gatewayThrottles", { stat: "Sum" }],
    ]),
    graph("Requests to DynamoDB and units", [own("roundTrips"), own("readUnits"), own("writeUnits")]),
    graph("Throttles", [
      own("dynamodbThrottles"),
      own("kmsThrottles"),
      ["AWS/Lambda", "Throttles", { stat: "Sum" }],
      ["AWS/Lambda", "ConcurrentExecutions", { stat: "Maximum" }],
    ]),
    graph("Jobs", [own("jobRuns"), own("failedJobs"), own("unrecordedRuns")]),
    graph("How late jobs, deliveries and messages are, s", [
      own("queueAgeSeconds", "p95"),
      own("queueAgeSeconds", "Maximum"),
      own("webhookBacklogSeconds", "Maximum"),
      own("messageBacklogSeconds", "Maximum"),
    ]),
    graph("Messages", [own("messagesSent"), own("messagesFailed"), own("senderRefusals"), own("endedAddresses")]),
    ...(settings.emailFrom ? [reputation] : []),
    graph("Oldest message of each queue, s", ofQueues("ApproximateAgeOfOldestMessage", "queue")),
    graph("Dead letters", ofQueues("ApproximateNumberOfMessagesVisible", "deadLetters")),
    query(
      "Endpoints",
      endpointLogs,
      "filter message = 'call' | stats count(*) as n, pct(durationMs, 95) as p95, sum(failures) as failed by endpoint | sort n desc",
    ),
    query(
      "Errors of workers",
      workerLogs,
      "filter level = 'error' | stats count(*) as n by worker, outcome, cause.name | sort n desc",
    ),
  ];
}
