// A sample of roles that lack what their function needs. The long trial takes every permission from every role.

import { afterAll, beforeAll, expect, it } from "vitest";
import { tableSchema } from "../../infra/stack/table-schema.ts";
import type { JobKind } from "../../lib/grants.ts";
import { startRun } from "../../lib/ingest/start-run.ts";
import * as Blob from "../../lib/store/blob.ts";
import { removeWorkspace } from "../../lib/workspace/workspaces.ts";
import { newWorkspace } from "../support/call.ts";
import { named } from "../support/contract/requests.ts";
import { jobsOf } from "../support/jobs.ts";
import { without } from "./aws/labels.ts";
import { rehearseCalls } from "./calls.ts";
import { Rehearsal } from "./rehearsal.ts";

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await Rehearsal.open();
});
afterAll(() => rehearsal.close());

const less = (name: string, permission: string) => without(rehearsal.function(name).role, permission);

it.each([
  ["users-get", "dynamodb:BatchGetItem"],
  ["presence-delete", "dynamodb:BatchWriteItem"],
  ["domains-delete", "dynamodb:DeleteItem"],
  ["token-generate", "kms:GenerateDataKey signing-key"],
  ["webhook-secret-get", "kms:Decrypt webhook-secret"],
  ["notifications-add", "sqs:SendMessage notify"],
])("%s does not pass without %s", async (name, permission) => {
  const row = await rehearseCalls(rehearsal, named(name), less(name, permission));
  expect(row.denials).toEqual([permission]);
});

it("agents-get does not pass without the count of its workspace's calls", async () => {
  const role = less("agents-get", "dynamodb:UpdateItem W#*#%CALLS");
  const row = await rehearseCalls(rehearsal, named("agents-get"), role);
  expect(row.denials).toEqual(["dynamodb:UpdateItem"]);
});

it("webhook-secret-get does not pass with the purpose of another secret", async () => {
  const { role } = rehearsal.function("webhook-secret-get");
  const other = role.map((each) => JSON.parse(JSON.stringify(each).replaceAll("webhook-secret", "signing-key")));
  const row = await rehearseCalls(rehearsal, named("webhook-secret-get"), other);
  expect(row.denials).toEqual(["kms:Decrypt webhook-secret"]);
});

it("the sweeper does not pass without the index of jobs that are due", async () => {
  const permission = `dynamodb:Query ${tableSchema.dueIndex.name}`;
  const sweeper = await rehearsal.start("sweeper", less("sweeper", permission));
  await rehearsal.tick("sweeper", sweeper);
  await sweeper.process.end();
  expect([...sweeper.session.denials]).toEqual([permission]);
});

it("the worker of purges does not pass without the deletion of files", async () => {
  const { apiKey } = await newWorkspace();
  await Blob.put({ workspace: apiKey }, "file", Buffer.from("text"));
  const jobId = await removeWorkspace({ workspace: apiKey });
  expect(jobId).toBeDefined();
  expect(await denialsOf("purge", apiKey, String(jobId), "s3:DeleteObject")).toEqual(["s3:DeleteObject"]);
});

it("the worker of extractions does not pass without the list of files, when its file is gone", async () => {
  const { apiKey } = await newWorkspace();
  const asked = { runId: "run", fingerprint: "fingerprint", mimeType: "text/plain" };
  const started = { ...asked, state: "running", startedAt: Date.now(), vendorCalls: 0 } as const;
  await startRun({ workspace: apiKey }, started, undefined);
  const [job] = await jobsOf({ apiKey }, "ingest");
  expect(await denialsOf("ingest", apiKey, String(job?.id), "s3:ListBucket")).toEqual(["s3:ListBucket"]);
});

/** What the worker is denied in this job when its role lacks the permission. */
async function denialsOf(kind: JobKind, workspace: string, jobId: string, permission: string): Promise<string[]> {
  const message = {
    QueueUrl: `http://sqs/0/${kind}`,
    MessageBody: jobId,
    MessageGroupId: workspace,
    DelaySeconds: 900,
  };
  rehearsal.queues.respond("SendMessage", message, "");
  const worker = await rehearsal.start(kind, less(kind, permission));
  await rehearsal.runNext(workspace, new Map([[kind, worker]]));
  await worker.process.end();
  return [...worker.session.denials];
}
