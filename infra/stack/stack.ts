// One stack for the whole service. It adds every function of the list, so a new function needs no change here.
import { CfnOutput, Stack } from "aws-cdk-lib";
import type { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { consumersAmong, type Deployable } from "../deployables.ts";
import { Alarms } from "../watch/alarms.ts";
import { addBudget } from "../watch/budget.ts";
import { addDashboard } from "../watch/dashboard.ts";
import { HttpApi } from "./api.ts";
import { check } from "./check.ts";
import { addFunction } from "./functions.ts";
import type { Resources } from "./iam.ts";
import type { EndpointFunction } from "./invoking-roles.ts";
import { addLiveEngine } from "./live/engine.ts";
import { addMail } from "./mail.ts";
import { addQueues } from "./queues.ts";
import type { Settings } from "./settings.ts";
import { addFiles, addKey, addTable, removal } from "./storage.ts";
import { concurrencyOf } from "./worker-concurrency.ts";

export interface BackendStackProps {
  deployables: readonly Deployable[];
  /** The folder that holds `<name>/index.mjs` of each function. */
  assets: string;
  settings: Settings;
  /** Those of the settings that the context names. The guard compares them with those of the next template. */
  given?: Partial<Settings>;
}

export class BackendStack extends Stack {
  constructor(scope: Construct, { deployables, assets, settings, given = {} }: BackendStackProps) {
    const terminationProtection = !settings.development;
    super(scope, settings.stackName, { description: "Collaboration backend", terminationProtection });
    this.templateOptions.metadata = { Settings: given };
    check(deployables, assets);

    const queueWorkers = consumersAmong(deployables);
    const queues = addQueues(this, queueWorkers);
    const concurrency = concurrencyOf(queueWorkers, settings.workerConcurrency);
    const resources: Resources = {
      table: addTable(this, settings),
      key: addKey(this, settings),
      files: addFiles(this, settings),
      queues,
      mail: addMail(this, settings, queues.get("feedback")),
      live: undefined,
    };
    const endpointLogs = this.logs("endpoint-logs", settings);
    const workerLogs = this.logs("worker-logs", settings);
    const alarms = new Alarms(this, settings);

    const targets: EndpointFunction[] = [];
    const consumers: Lambda[] = [];
    const linking: Lambda[] = [];
    const add = (each: Deployable) => {
      const logs = each.kind === "endpoint" ? endpointLogs : workerLogs;
      return addFunction(this, each, { assets, concurrency, resources, settings, logs });
    };
    // First: the functions that publish get the addresses of the engine, which needs the authorizer.
    const authorizer = settings.live ? deployables.find(({ kind }) => kind === "authorizer") : undefined;
    if (authorizer) resources.live = addLiveEngine(this, settings.stackName, add(authorizer));
    for (const each of deployables) {
      if (each.kind === "authorizer") continue;
      const lambda = add(each);
      if (each.kind === "endpoint") targets.push({ endpoint: each, lambda });
      if (each.kind === "queue" || each.kind === "events") consumers.push(lambda);
      if (each.kind !== "endpoint" && each.makesLinks) linking.push(lambda);
      if (each.kind === "schedule") alarms.forSweeper(lambda);
    }
    const accessLogs = this.logs("access-logs", settings);
    const api = new HttpApi(this, targets, accessLogs, settings);
    for (const lambda of linking) lambda.addEnvironment("PUBLIC_URL", api.url);
    alarms.forService();
    if (settings.emailFrom) alarms.forSender();
    if (settings.live) alarms.forLive();
    alarms.forApi(api.id, accessLogs);
    alarms.forQueues(queues);
    alarms.forWorkers(consumers);
    addBudget(this, alarms.topic, settings);
    addDashboard(this, { alarms: alarms.all, apiId: api.id, queues, endpointLogs, workerLogs, settings });

    // `npm run admin -- --stack` reads TableName, KeyId and Cell by name. The values of TableName, KeyArn and BucketName are
    // those of the settings that adopt them.
    this.output("ApiUrl", api.url);
    this.output("TableName", resources.table.tableName);
    this.output("KeyId", resources.key.keyId);
    this.output("KeyArn", resources.key.keyArn);
    this.output("BucketName", resources.files.bucketName);
    // `npm run admin -- trace` reads these.
    this.output("EndpointLogs", endpointLogs.logGroupName);
    this.output("WorkerLogs", workerLogs.logGroupName);
    this.output("AccessLogs", accessLogs.logGroupName);
    // The pipeline of infra/DEPLOYMENT.md watches these after a deployment.
    this.output("ReleaseAlarms", alarms.ofReleases.map(({ alarmName }) => alarmName).join(" "));
    // A page's content security policy needs it.
    if (resources.live) this.output("LiveUrl", resources.live.realtimeUrl);
    if (settings.cell) this.output("Cell", settings.cell);
    for (const [kind, { queue }] of queues) this.output(`QueueUrl${capitalized(kind)}`, queue.queueUrl);
  }

  private logs(id: string, { development, logRetentionDays }: Settings): LogGroup {
    return new LogGroup(this, id, { retention: logRetentionDays, removalPolicy: removal(development) });
  }

  private output(name: string, value: string): void {
    new CfnOutput(this, name, { value });
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
