// The restore of infra/RESTORE.md: a copy of the table as it was at a moment, which the service then uses.
import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { expect, onTestFinished, test } from "vitest";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { notificationsAdd } from "../../../functions/notifications/notifications-add.ts";
import { notificationsGet } from "../../../functions/notifications/notifications-get.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { createTable } from "../../../infra/local/table.ts";
import { type Item, keyName } from "../../../lib/dynamodb/key.ts";
import { sweep } from "../../../lib/jobs/sweep.ts";
import { duePartitions } from "../../../lib/store/job.ts";
import { must, newWorkspace } from "../../support/call.ts";
import { runWorker } from "../../support/run-worker.ts";
import { allItems } from "../../support/scan.ts";

const engine = process.env.PLAIN_DYNAMODB_ENDPOINT as string;
const organizationId = "o";

/** Writes the items into a new table. Returns its name. */
async function restored(items: readonly Item[]): Promise<string> {
  const TableName = `restored-${randomUUID()}`;
  await createTable(engine, TableName);
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: engine }));
  for (const item of items) await client.send(new PutCommand({ TableName, Item: item }));
  return TableName;
}

const sorted = (items: Item[]) => items.toSorted((one, other) => (keyName(one) < keyName(other) ? -1 : 1));

/** Sends all overdue jobs, as the sweeper does after its grace period. Returns their ids. */
async function swept(): Promise<string[]> {
  const sqs = mockClient(SQSClient);
  sqs.on(SendMessageBatchCommand).resolves({});
  process.env.SWEEP_GRACE_SECONDS = "0";
  await sweep(duePartitions, Date.now() + 60_000);
  const calls = sqs.commandCalls(SendMessageBatchCommand);
  sqs.restore();
  return calls.flatMap(({ args }) => args[0].input.Entries?.map(({ MessageBody = "" }) => MessageBody) ?? []);
}

test("the service runs on a copy of its table, goes on with the jobs, and leaves the former table alone", async () => {
  const former = process.env.TABLE_NAME;
  onTestFinished(() => void Object.assign(process.env, { TABLE_NAME: former }));
  const as = await newWorkspace();
  const add = (documentId: string) => must(documentsAdd, { as, data: { organizationId, documents: [{ documentId }] } });
  const listed = async (): Promise<string[]> => {
    const { documents } = await must(documentsGet, { as, data: { organizationId } });
    return documents.map(({ documentId }: { documentId: string }) => documentId).sort();
  };
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  await add("before");
  await must(usersAdd, { as, data: { organizationId, users: [{ userId: "u" }] } });
  const texts = { displayHeadlineMessageTemplate: "headline", displayBodyMessage: "body" };
  const note = { organizationId, documentId: "before", actionUser: { userId: "a" }, notifyUsers: [{ userId: "u" }] };
  await must(notificationsAdd, { as, data: { ...note, ...texts } });

  const moment = await allItems();
  const [copy] = await Promise.all([restored(moment), add("after-1"), add("after-2")]);
  expect(await listed()).toEqual(["after-1", "after-2", "before"]);
  const left = sorted(await allItems());

  process.env.TABLE_NAME = copy;
  expect(sorted(await allItems())).toEqual(sorted(moment));
  expect(await listed()).toEqual(["before"]);
  for (const id of await swept()) await runWorker("notify", [id]);
  const { notifications } = await must(notificationsGet, { as, data: { organizationId, userId: "u" } });
  expect(notifications).toMatchObject([{ documentId: "before" }]);
  await add("on-the-copy");
  expect(await listed()).toEqual(["before", "on-the-copy"]);

  process.env.TABLE_NAME = former;
  expect(sorted(await allItems())).toEqual(left);
});
