// A role's policy is its function's grants, one statement each, and the right to log: no wildcard but for
// the names of files, no shared policy.

import { type CfnElement, Stack, Validations } from "aws-cdk-lib";
import type { TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { type Grant, grantActions } from "../lib/grants.ts";
import type { Deployable } from "./deployables.ts";
import type { JobQueues } from "./queues.ts";
import { tableSchema } from "./table-schema.ts";

/** What grants are on. */
export interface Resources {
  table: TableV2;
  key: IKey;
  /** Uploaded files. */
  files: Bucket;
  queues: JobQueues;
}

export function addRole(scope: Construct, each: Deployable, resources: Resources, logs: ILogGroup): Role {
  const statements = each.grants.map((grant) => allow(actionsOf(grant), resourceOf(grant, resources)));
  if (each.kind === "queue") {
    const consume = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
    statements.push(allow(consume, queueOf(each.jobs, resources).queueArn));
  }
  // The ARN that CloudFormation gives ends in `:*`, the group's streams, which have no names before they are written.
  statements.push(allow(["logs:CreateLogStream", "logs:PutLogEvents"], logs.logGroupArn));
  // Inline: a policy resource of its own for each function would cost the stack 70 resources.
  const role = new Role(scope, `${each.name}-role`, {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    inlinePolicies: { grants: new PolicyDocument({ statements }) },
  });
  if (each.grants.some((grant) => grant.startsWith("file:"))) {
    const files = Stack.of(scope).getLogicalId(resources.files.node.defaultChild as CfnElement);
    const reason = "A file's name is made from its content: all of the bucket's are the function's.";
    Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::<${files}.Arn>/*]`, reason });
  }
  return role;
}

export function allow(actions: readonly string[], ...resources: string[]): PolicyStatement {
  return new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources });
}

function actionsOf(grant: Grant): readonly string[] {
  return grant.startsWith("queue:") ? ["sqs:SendMessage"] : grantActions[grant as keyof typeof grantActions];
}

function resourceOf(grant: Grant, resources: Resources): string {
  const [what, which = ""] = grant.split(":");
  if (what === "queue") return queueOf(which, resources).queueArn;
  if (what === "key") return resources.key.keyArn;
  // What is listed is the bucket; all else is done to a file in it.
  if (what === "file") return which === "list" ? resources.files.bucketArn : resources.files.arnForObjects("*");
  return grant === "table:due"
    ? `${resources.table.tableArn}/index/${tableSchema.dueIndex.name}`
    : resources.table.tableArn;
}

export function queueOf(kind: string, { queues }: Resources): Queue {
  const found = queues.get(kind);
  if (!found) throw new Error(`There is no queue of ${kind} jobs: no worker takes them.`);
  return found.queue;
}
