import { join } from "node:path";
import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Architecture, Code, Function as Lambda, LoggingFormat, RecursiveLoop, Runtime } from "aws-cdk-lib/aws-lambda";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { type Deployable, queueVariable, sourceQueueOf } from "../deployables.ts";
import { addRole, queueOf, type Resources } from "./iam.ts";
import { defaults, type Settings } from "./settings.ts";
import { acknowledgeNetwork, isInVpc, networkStatements, placeInVpc, usesNetwork } from "./vpc.ts";

interface Context {
  /** The folder that holds `<name>/index.mjs` of each function. */
  assets: string;
  resources: Resources;
  settings: Settings;
  /** The most concurrent invocations of a queue worker, by its name. */
  concurrency: ReadonlyMap<string, number>;
  /** Many functions share one log group. The names of its streams contain the function's name. */
  logs: ILogGroup;
}

export function addFunction(scope: Construct, each: Deployable, context: Context): Lambda {
  const { assets, concurrency, logs, resources, settings } = context;
  const isNetworked = usesNetwork(each, settings);
  const further = isNetworked ? networkStatements(scope) : [];
  const role = addRole(scope, each, { resources, logs, further });
  const lambda = new Lambda(scope, each.name, {
    description: each.summary,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: "index.handler",
    code: Code.fromAsset(join(assets, each.name)),
    // One second more than the endpoint's own deadline, to return DEADLINE_EXCEEDED.
    timeout: Duration.seconds(each.kind === "endpoint" ? each.timeoutSeconds + 1 : each.timeoutSeconds),
    memorySize: each.memoryMb,
    environment: environmentOf(each, resources, settings),
    logGroup: logs,
    loggingFormat: LoggingFormat.JSON,
    // Otherwise CDK adds statements to the role that the declaration does not list.
    role: role.withoutPolicyUpdates(),
    // A queue worker sends the message of a job's next run to its own queue. Lambda takes that for an endless loop, and by
    // default stops it after about 16 messages. The jobs themselves end: by their attempts, or by their work.
    ...(each.kind === "queue" && { recursiveLoop: RecursiveLoop.ALLOW }),
  });
  if (isInVpc(each, settings)) placeInVpc(lambda, settings);
  if (isNetworked) acknowledgeNetwork(role);
  const source = sourceQueueOf(each);
  if (source !== undefined && (each.kind === "queue" || each.kind === "events")) {
    lambda.addEventSourceMapping("jobs", {
      eventSourceArn: queueOf(source, resources).queueArn,
      batchSize: each.batchSize,
      reportBatchItemFailures: true,
      maxConcurrency: concurrency.get(each.name) ?? each.concurrencyMax,
    });
  }
  if (each.kind === "schedule") {
    const schedule = Schedule.rate(Duration.minutes(each.everyMinutes));
    new Rule(scope, `${each.name}-schedule`, {
      description: each.summary,
      schedule,
      targets: [new LambdaFunction(lambda)],
    });
  }
  return lambda;
}

function environmentOf(each: Deployable, resources: Resources, settings: Settings): Record<string, string> {
  const environment: Record<string, string> = { SERVICE_NAME: settings.stackName };
  for (const grant of each.grants) {
    const [what, which = ""] = grant.split(":");
    if (what === "table") environment.TABLE_NAME = resources.table.tableName;
    if (what === "file") environment.FILE_BUCKET = resources.files.bucketName;
    if (what === "key") environment.KMS_KEY_ID = resources.key.keyId;
    if (what === "mail" && resources.mail) {
      environment.EMAIL_CONFIGURATION_SET = resources.mail.configurationSetName;
    }
    if (what === "live" && resources.live) {
      environment.LIVE_HTTP_URL = resources.live.httpUrl;
      environment.LIVE_REALTIME_URL = resources.live.realtimeUrl;
    }
    if (what === "queue") environment[queueVariable(which)] = queueOf(which, resources).queueUrl;
  }
  for (const [name, variable] of settingVariables)
    if (settings[name] !== defaults[name]) environment[variable] = String(settings[name]);
  if (each.kind === "endpoint" && settings.originSecretSha256) {
    environment.ORIGIN_SECRET_SHA256 = settings.originSecretSha256;
  }
  return environment;
}

/** The variables of all functions that have the value of a setting other than its default (`lib/config.ts`). */
const settingVariables = [
  ["aiOrigins", "AI_ORIGINS"],
  ["egressAllowCidrs", "EGRESS_ALLOW_CIDRS"],
  ["emailFrom", "EMAIL_FROM"],
  ["ingestBudgetSeconds", "INGEST_BUDGET_SECONDS"],
  ["notificationRetentionDays", "NOTIFICATION_RETENTION_DAYS"],
  ["permissionProviderOrigins", "PERMISSION_PROVIDER_ORIGINS"],
  ["sendGridBaseUrl", "SENDGRID_BASE_URL"],
  ["slackBaseUrl", "SLACK_BASE_URL"],
  ["tokenIssuer", "TOKEN_ISSUER"],
  ["webhookEndpointsMax", "WEBHOOK_ENDPOINTS_MAX"],
  ["workspaceCallsPerSecond", "WORKSPACE_CALLS_PER_SECOND"],
] as const;
