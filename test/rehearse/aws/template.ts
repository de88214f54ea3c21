// The functions as the synthesized stack deploys them: the staged assets, environments, limits and roles.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { type Deployable, deployables } from "../../../infra/deployables.ts";
import { fileBucket, keyAlias } from "../../../infra/local/environment.ts";
import { checked } from "../../../infra/settings.ts";
import { BackendStack } from "../../../infra/stack.ts";
import { jobKinds } from "../../../lib/grants.ts";
import { outDir } from "../../support/bundles.ts";
import { type Names, resolved } from "./intrinsics.ts";
import { arnOf } from "./needs.ts";
import { type Statement, statementsOf } from "./policy.ts";

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

export interface Deployed {
  functions: DeployedFunction[];
  queues: DeployedQueue[];
  /** The statements of the roles with which API Gateway invokes functions. */
  gateway: Statement[];
}

// biome-ignore lint/suspicious/noExplicitAny: a template is JSON of AWS's shapes
type Resource = { Type: string; Properties: any };

/** Synthesizes the stack of the built bundles into the folder. */
export function synthesize(folder: string, urlOfQueue: (kind: string) => string): Deployed {
  // CDK's own validation takes seconds and only warns.
  const app = new App({ outdir: folder, builtinCloudFormationValidation: false });
  const stack = new BackendStack(app, { deployables, assets: outDir, settings: checked({}) });
  const resources = Template.fromStack(stack).toJSON().Resources as Record<string, Resource>;
  const names = namesOf(resources, urlOfQueue);
  const all = (type: string) => Object.entries(resources).filter(([, { Type }]) => Type === type);
  const policiesOf = ({ Properties }: Resource): Statement[] =>
    // biome-ignore lint/suspicious/noExplicitAny: see above
    statementsOf(resolved(Properties.Policies ?? [], names).flatMap((each: any) => each.PolicyDocument.Statement));
  const lambdas = new Map(all("AWS::Lambda::Function").map((each) => [each[1].Properties.Description, each]));

  const functions = deployables.map((declared): DeployedFunction => {
    const [id, { Properties }] = lambdas.get(declared.summary) ?? fail(`The template lacks ${declared.name}.`);
    const role = resources[Properties.Role["Fn::GetAtt"][0]] ?? fail(`${declared.name} has no role.`);
    const assets = join(folder, `asset.${String(Properties.Code.S3Key).replace(/\.zip$/, "")}`);
    if (!existsSync(join(assets, "index.mjs"))) fail(`${declared.name} has no staged bundle.`);
    return {
      declared,
      name: declared.name,
      arn: names.attribute(id, "Arn"),
      assets,
      handler: Properties.Handler,
      runtime: Properties.Runtime,
      memoryMb: Properties.MemorySize,
      timeoutSeconds: Properties.Timeout,
      environment: resolved(Properties.Environment?.Variables ?? {}, names),
      role: policiesOf(role),
      logGroup: resolved(Properties.LoggingConfig.LogGroup, names),
      allowsRecursion: Properties.RecursiveLoop === "Allow",
    };
  });
  const queues = all("AWS::SQS::Queue").flatMap(([id, { Properties }]): DeployedQueue[] => {
    const kind = jobKinds.find((each) => id.startsWith(`${each}queue`));
    if (!kind) return [];
    const { VisibilityTimeout, RedrivePolicy } = Properties;
    return [{ kind, visibilitySeconds: VisibilityTimeout ?? 30, receivesMax: RedrivePolicy.maxReceiveCount }];
  });
  const ofGateway = all("AWS::IAM::Role").filter(([, role]) =>
    JSON.stringify(role.Properties.AssumeRolePolicyDocument).includes("apigateway.amazonaws.com"),
  );
  return { functions, queues, gateway: ofGateway.flatMap(([, role]) => policiesOf(role)) };
}

function fail(message: string): never {
  throw new Error(message);
}

/** The names and ARNs that the stack's resources have on this machine. */
function namesOf(resources: Record<string, Resource>, urlOfQueue: (kind: string) => string): Names {
  const queueName = (id: string) => /^([a-z]+)queue/.exec(id)?.[1] ?? id;
  const table = () => process.env.TABLE_NAME ?? "";
  const refs: Record<string, (id: string) => string> = {
    "AWS::DynamoDB::GlobalTable": table,
    "AWS::S3::Bucket": () => fileBucket,
    "AWS::KMS::Key": () => keyAlias,
    "AWS::SQS::Queue": (id) => urlOfQueue(queueName(id)),
  };
  const arns: Record<string, (id: string) => string> = {
    "AWS::DynamoDB::GlobalTable": () => arnOf.table(table()),
    "AWS::S3::Bucket": () => arnOf.bucket(fileBucket),
    "AWS::KMS::Key": () => arnOf.key(keyAlias),
    "AWS::SQS::Queue": (id) => arnOf.queue(queueName(id)),
    "AWS::Lambda::Function": arnOf.lambda,
    "AWS::Logs::LogGroup": arnOf.logs,
  };
  const typeOf = (id: string) => resources[id]?.Type ?? "";
  return {
    ref: (id) => refs[typeOf(id)]?.(id) ?? id,
    attribute: (id, name) => (name === "Arn" && arns[typeOf(id)]?.(id)) || `${id}.${name}`,
  };
}
