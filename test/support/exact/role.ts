// In the exact tests, AWS refuses a function what it does not declare, and the test fails. The test also fails when a
// function succeeds before its writes have ended: Lambda can stop it then.
import { KMSClient } from "@aws-sdk/client-kms";
import { S3Client } from "@aws-sdk/client-s3";
import { SESv2Client } from "@aws-sdk/client-sesv2";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { Grant } from "../../../lib/grants.ts";
import type { AwsCommand } from "../aws/edge.ts";
import { refusal } from "../engine/table-in-memory.ts";
import { complain, running } from "./containers.ts";

// biome-ignore lint/suspicious/noExplicitAny: commands differ in their input
type Input = any;
type Send = (this: unknown, command: AwsCommand, ...rest: unknown[]) => Promise<unknown>;

/** Grants to write something. */
const writing = /^(?:table:(?:write|delete|batch|calls|slots)|file:(?:write|delete)|queue:|mail:)/;

const wanted: Record<string, (input: Input) => string[][]> = {
  Get: () => [["table:read"]],
  BatchGet: () => [["table:read"]],
  Query: ({ IndexName }) => [[IndexName ? "table:due" : "table:read"]],
  Put: () => [["table:write"]],
  Update: ({ Key }) => [["table:write", ...grantsOfPartition(Key.pk)]],
  Delete: () => [["table:delete"]],
  BatchWrite: () => [["table:batch"]],
  TransactWrite: ({ TransactItems }) =>
    TransactItems.flatMap((each: object) => Object.entries(each).flatMap(([verb, input]) => wantedBy(verb, input))),
  GetObject: () => [["file:read"]],
  PutObject: () => [["file:write"]],
  ListObjectsV2: () => [["file:list"]],
  DeleteObjects: () => [["file:delete"]],
  SendEmail: () => [["mail:send"]],
  GenerateDataKey: ({ EncryptionContext }) => [[`key:seal:${EncryptionContext.purpose}`]],
  Decrypt: ({ EncryptionContext }) => [[`key:unseal:${EncryptionContext.purpose}`]],
  SendMessage: ({ QueueUrl }) => [[`queue:${QueueUrl.split("/").at(-1)}`]],
  SendMessageBatch: ({ QueueUrl }) => [[`queue:${QueueUrl.split("/").at(-1)}`]],
};

function wantedBy(operation: string, input: Input): string[][] {
  const grants = wanted[operation];
  if (!grants) throw new Error(`test/support/exact/role.ts does not know which grant ${operation} needs.`);
  return grants(input);
}

/** Grants for the items of one kind only. */
function grantsOfPartition(pk: string): string[] {
  if (pk.endsWith("#%CALLS")) return ["table:calls"];
  return pk.endsWith("#%SLOTS") ? ["table:slots"] : [];
}

/** For each part of the command, the grants of which one allows it. */
export const grantsFor = ({ constructor: { name }, input }: AwsCommand): string[][] =>
  wantedBy(name.replace(/Command$/, ""), input);

export const clients = [DynamoDBDocumentClient, KMSClient, S3Client, SQSClient, SESv2Client] as unknown as {
  prototype: { send: Send };
}[];

/** Watches what the running function sends. */
export function enforceRoles(): void {
  for (const { prototype } of clients) {
    const { send } = prototype;
    prototype.send = async function (command, ...rest) {
      const { name, role } = running() ?? {};
      if (!role) return send.call(this, command, ...rest);
      const needed = grantsFor(command);
      const missing = needed.find((each) => !each.some((grant) => role.grants.includes(grant as Grant)));
      if (missing) {
        complain(`${name} has no grant ${missing[0]}`);
        throw refusal("AccessDeniedException", `${name} is not authorized: it has no grant ${missing[0]}.`);
      }
      if (!needed.flat().some((grant) => writing.test(grant))) return send.call(this, command, ...rest);
      if (role.hasSucceeded) complain(`${name} succeeds before it has begun this: ${command.constructor.name}`);
      role.open.add(command);
      return send.call(this, command, ...rest).finally(() => role.open.delete(command));
    };
  }
}
