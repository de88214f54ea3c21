// The functions as the synthesized stack deploys them: the staged assets, environments, limits, roles, and what invokes
// them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { type Deployable, deployables, sourceQueueOf } from "../../../infra/deployables.ts";
import { checked } from "../../../infra/stack/settings.ts";
import { BackendStack } from "../../../infra/stack/stack.ts";
import { outDir } from "../../support/bundles.ts";
import { arnOf } from "./needs.ts";
import type { Statement } from "./policy.ts";
import { fail, type Properties, type Resources, resourcesOf } from "./resources.ts";
import { type DeployedRoute, routesOf } from "./routes.ts";

export interface DeployedFunction {
  declared: Deployable;
  name: string;
  arn: string;
  /** The folder that the deployment uploads. */
  assets: string;
  /** As Lambda's settings: `index.handler`, `nodejs24.x`. */
  handler: string;
  runtime: string;
  memoryMb: number;
  timeoutSeconds: number;
  environment: Record<string, string>;
  role: Statement[];
  logGroup: string;
  /** Whether Lambda lets it invoke itself through a queue without end. */
  allowsRecursion: boolean;
}

export interface DeployedQueue {
  kind: string;
  visibilitySeconds: number;
  receivesMax: number;
}

/** What moves the messages of a queue to a function. */
export interface Mapping {
  kind: string;
  queueArn: string;
  functionArn: string;
  batchSize: number;
  /** Whether Lambda reads `batchItemFailures` of the reply. */
  reportsFailures: boolean;
}

export interface Timer {
  ruleArn: string;
  functionArn: string;
  /** Whether EventBridge may invoke the function. */
  isAllowed: boolean;
}

export interface Deployed {
  functions: DeployedFunction[];
  queues: DeployedQueue[];
  mappings: Mapping[];
  timers: Timer[];
  routes: DeployedRoute[];
}

/** Synthesizes the stack of the built bundles into the folder, with the context of cdk.json. */
export function synthesize(folder: string, urlOfQueue: (kind: string) => string): Deployed {
  const { context } = JSON.parse(readFileSync(new URL("../../../cdk.json", import.meta.url), "utf8"));
  // CDK's own validation takes seconds and only warns.
  const app = new App({ outdir: folder, context, builtinCloudFormationValidation: false });
  const stack = new BackendStack(app, { deployables, assets: outDir, settings: checked({}) });
  const resources = resourcesOf(Template.fromStack(stack).toJSON().Resources, urlOfQueue);
  for (const [id, { KeyPolicy }] of resources.all("AWS::KMS::Key")) {
    const isLeftToRoles = resources.resolved(KeyPolicy).Statement.some(allowsRoles);
    if (!isLeftToRoles) fail(`The policy of the key ${id} does not let roles use it.`);
  }
  const all = {
    functions: functionsOf(resources, folder),
    queues: queuesOf(resources),
    mappings: mappingsOf(resources),
    timers: timersOf(resources),
    routes: routesOf(resources),
  };
  for (const mapping of all.mappings) checkMapping(mapping, all);
  return all;
}

/** With this statement, the policy of a key leaves the decision to the policies of the account's roles. */
function allowsRoles({ Effect, Action, Principal }: Properties): boolean {
  return Effect === "Allow" && Action === "kms:*" && String(Principal.AWS).endsWith(":root");
}

/** The engine of live messages is off here, as in a new deployment. */
const deployed = deployables.filter(({ kind }) => kind !== "authorizer");

function functionsOf(resources: Resources, folder: string): DeployedFunction[] {
  const all = new Map(resources.all("AWS::Lambda::Function").map((each) => [each[1].Description, each]));
  if (all.size !== deployed.length) fail("The template and the list have not the same number of functions.");
  return deployed.map((declared): DeployedFunction => {
    const [id, properties] = all.get(declared.summary) ?? fail(`The template lacks ${declared.name}.`);
    const assets = join(folder, `asset.${String(properties.Code.S3Key).replace(/\.zip$/, "")}`);
    if (!existsSync(join(assets, "index.mjs"))) fail(`${declared.name} has no staged bundle.`);
    return {
      declared,
      name: declared.name,
      arn: arnOf.lambda(id),
      assets,
      handler: properties.Handler,
      runtime: properties.Runtime,
      memoryMb: properties.MemorySize,
      timeoutSeconds: properties.Timeout,
      environment: resources.resolved(properties.Environment?.Variables ?? {}),
      role: resources.roleOf(properties.Role, "lambda.amazonaws.com"),
      logGroup: resources.resolved(properties.LoggingConfig.LogGroup),
      allowsRecursion: properties.RecursiveLoop === "Allow",
    };
  });
}

const queueNames = deployables.flatMap((each) => sourceQueueOf(each) ?? []);

function queuesOf(resources: Resources): DeployedQueue[] {
  return resources.all("AWS::SQS::Queue").flatMap(([id, { VisibilityTimeout, RedrivePolicy }]): DeployedQueue[] => {
    const kind = queueNames.find((each) => id.startsWith(`${each}queue`));
    if (!kind) return [];
    resources.resolved(RedrivePolicy.deadLetterTargetArn);
    return [{ kind, visibilitySeconds: VisibilityTimeout ?? 30, receivesMax: RedrivePolicy.maxReceiveCount }];
  });
}

function mappingsOf(resources: Resources): Mapping[] {
  const enabled = resources.all("AWS::Lambda::EventSourceMapping").filter(([, { Enabled }]) => Enabled !== false);
  return enabled.map(([, properties]): Mapping => {
    const queueArn: string = resources.resolved(properties.EventSourceArn);
    return {
      kind: queueArn.split(":").at(-1) ?? "",
      queueArn,
      functionArn: arnOf.lambda(resources.resolved(properties.FunctionName)),
      batchSize: properties.BatchSize,
      reportsFailures: (properties.FunctionResponseTypes ?? []).includes("ReportBatchItemFailures"),
    };
  });
}

/** Lambda refuses a mapping of a queue whose visibility timeout is shorter than the function's timeout. */
function checkMapping({ kind, functionArn }: Mapping, { functions, queues }: Pick<Deployed, "functions" | "queues">) {
  const { timeoutSeconds = 0, name } =
    functions.find(({ arn }) => arn === functionArn) ?? fail(`${kind} has no worker.`);
  const { visibilitySeconds } = queues.find((each) => each.kind === kind) ?? fail(`${name} has no queue.`);
  if (visibilitySeconds < timeoutSeconds) fail(`Messages of ${kind} are visible again before ${name} times out.`);
}

function timersOf(resources: Resources): Timer[] {
  const permissions = resources.all("AWS::Lambda::Permission").map(([, each]) => resources.resolved(each));
  return resources.all("AWS::Events::Rule").flatMap(([id, { State, Targets, ScheduleExpression }]): Timer[] => {
    if (State === "DISABLED" || !ScheduleExpression) return [];
    const ruleArn = arnOf.rule(id);
    return resources.resolved(Targets).map(({ Arn: functionArn }: Properties) => ({
      ruleArn,
      functionArn,
      isAllowed: permissions.some(
        ({ Action, FunctionName, Principal, SourceArn }) =>
          Action === "lambda:InvokeFunction" &&
          FunctionName === functionArn &&
          Principal === "events.amazonaws.com" &&
          SourceArn === ruleArn,
      ),
    }));
  });
}
