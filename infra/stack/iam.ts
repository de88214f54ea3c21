// Each function has its own role: one statement for each declared grant, one for logs, and one for the queue that
// invokes it. Only names of files and of log streams are wildcards.
import { type CfnElement, Stack, Validations } from "aws-cdk-lib";
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { type Grant, grantActions } from "../../lib/grants.ts";
import { callCountPartitions } from "../../lib/store/call-count.ts";
import { slotPartitions } from "../../lib/store/waiting-slot.ts";
import { type Deployable, sourceQueueOf } from "../deployables.ts";
import type { LiveEngine } from "./live/engine.ts";
import { type MailSender, sendingStatement } from "./mail.ts";
import type { JobQueues } from "./queues.ts";
import type { DataTable, FileBucket } from "./storage.ts";
import { tableSchema } from "./table-schema.ts";

/** The resources that grants refer to. */
export interface Resources {
  table: DataTable;
  key: IKey;
  /** Uploaded files. */
  files: FileBucket;
  queues: JobQueues;
  /** Undefined: the deployment sends no e-mail of its own. */
  mail: MailSender | undefined;
  /** Undefined: the deployment has no live messages. */
  live: LiveEngine | undefined;
}

interface Context {
  resources: Resources;
  logs: ILogGroup;
  /** Statements that follow from the deployment's settings. */
  further?: PolicyStatement[];
}

export function addRole(scope: Construct, each: Deployable, { resources, logs, further = [] }: Context): Role {
  const statements = each.grants.flatMap((grant) => statementOf(grant, resources));
  const source = sourceQueueOf(each);
  if (source !== undefined) {
    const consume = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
    statements.push(allow(consume, queueOf(source, resources).queueArn));
  }
  // The ARN from CloudFormation ends in `:*`, for all streams: Lambda creates them and chooses their names.
  statements.push(allow(["logs:CreateLogStream", "logs:PutLogEvents"], logs.logGroupArn), ...further);
  // Inline, because separate policies would add one resource for each function to the stack.
  const role = new Role(scope, `${each.name}-role`, {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    inlinePolicies: { grants: new PolicyDocument({ statements }) },
  });
  if (each.grants.some((grant) => grant.startsWith("file:"))) {
    const reason =
      "The name of a file depends on its content, so the function needs access to every file of the bucket.";
    const id = `AwsSolutions-IAM5[Resource::${checkedArn(scope, resources.files)}/*]`;
    Validations.of(role).acknowledge({ id, reason });
  }
  return role;
}

/** The ARN of the bucket as the checks print it. An adopted bucket has no resource in the template. */
function checkedArn(scope: Construct, files: FileBucket): string {
  const own = files.node.defaultChild as CfnElement | undefined;
  return own ? `<${Stack.of(scope).getLogicalId(own)}.Arn>` : `arn:<AWS::Partition>:s3:::${files.bucketName}`;
}

export function allow(actions: readonly string[], ...resources: string[]): PolicyStatement {
  return new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources });
}

/** Grants on items of one kind, with the pattern of their partition keys. */
const ownPartitions: { [Name in Grant]?: string } = {
  "table:calls": callCountPartitions,
  "table:slots": slotPartitions,
};

function statementOf(grant: Grant, resources: Resources): PolicyStatement | [] {
  if (grant === "mail:send") return resources.mail ? sendingStatement(resources.mail) : [];
  if (grant === "live:publish") {
    return resources.live ? allow(grantActions[grant], ...resources.live.publishArns) : [];
  }
  const statement = allow(actionsOf(grant), resourceOf(grant, resources));
  const [what, , purpose] = grant.split(":");
  const partitions = ownPartitions[grant];
  if (partitions) statement.addCondition("ForAllValues:StringLike", { "dynamodb:LeadingKeys": [partitions] });
  // Without the condition, a role that may unseal one kind of secret could unseal all of them.
  if (what === "key") statement.addCondition("StringEquals", { "kms:EncryptionContext:purpose": purpose });
  return statement;
}

function actionsOf(grant: Grant): readonly string[] {
  const [what, verb] = grant.split(":");
  return what === "queue" ? ["sqs:SendMessage"] : grantActions[`${what}:${verb}` as keyof typeof grantActions];
}

function resourceOf(grant: Grant, resources: Resources): string {
  const [what, which = ""] = grant.split(":");
  if (what === "queue") return queueOf(which, resources).queueArn;
  if (what === "key") return resources.key.keyArn;
  // Only listing applies to the bucket. All other actions apply to files in it.
  if (what === "file") return which === "list" ? resources.files.bucketArn : resources.files.arnForObjects("*");
  return grant === "table:due"
    ? `${resources.table.tableArn}/index/${tableSchema.dueIndex.name}`
    : resources.table.tableArn;
}

export function queueOf(kind: string, { queues }: Resources): Queue {
  const found = queues.get(kind);
  if (!found) throw new Error(`There is no queue ${kind}, because no worker takes its messages.`);
  return found.queue;
}
