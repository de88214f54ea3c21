// The bundles of a call and of the workers that it causes, one after the other.
import { expect, it } from "vitest";
import { documentsAdd } from "../../functions/documents/documents-add.ts";
import { webhookTest } from "../../functions/webhooks/webhook-test.ts";
import { ensureOrganization } from "../../lib/content/existing.ts";
import type { Job } from "../../lib/store/job.ts";
import { call, type Reply } from "../support/call.ts";
import { logs } from "../support/capture-logs.ts";
import { jobsOf } from "../support/jobs.ts";
import { runWorker } from "../support/run-worker.ts";
import { addEndpoint, hooked, receiver } from "../support/webhooks.ts";

const data = { organizationId: "o", documents: [{ documentId: "d", documentName: "D" }] };

/** Adds a document in a workspace with one webhook endpoint, then runs fanout and drain. */
async function addAndDeliver() {
  const as = await hooked();
  await ensureOrganization({ workspace: as.apiKey, organizationId: data.organizationId }, true);
  const { received, url } = await receiver();
  const { id: endpointId } = await addEndpoint(as.apiKey, { url });
  const reply = await call(documentsAdd, { as, data });
  const [fanout] = await jobsOf(as, "fanout");
  await runWorker("fanout", [fanout?.id ?? ""]);
  const [drain] = await jobsOf(as, "drain");
  await runWorker("drain", [drain?.id ?? ""]);
  return { reply, requestId: requestIdOf(reply), jobs: [fanout, drain] as Job[], received, endpointId, as };
}

const requestIdOf = ({ headers }: Reply) => headers["x-request-id"] ?? "";

it("the id of a call is in its jobs, in every log line of theirs, and in the header of the delivery", async () => {
  const { requestId, jobs, received, endpointId } = await addAndDeliver();
  expect(jobs).toMatchObject([
    { kind: "fanout", causedBy: requestId },
    { kind: "drain", causedBy: requestId },
  ]);
  expect(received.map(({ headers }) => headers["x-request-id"])).toEqual([requestId]);
  const delivery = received[0]?.headers["webhook-id"];
  const [fanout, drain] = jobs.map(({ id }) => id);
  const common = { correlation_id: requestId, service: "collaboration-backend" };
  expect(logs()).toMatchObject([
    { ...common, message: "call", endpoint: "documents-add", causedJobs: [fanout] },
    { ...common, message: "job", job: fanout, causedJobs: [drain], causedDeliveries: [`${endpointId}/${delivery}`] },
    { ...common, message: "delivery", endpointId, delivery, attempt: 1, outcome: "delivered", http: 200 },
    { ...common, message: "job", job: drain, outcome: "done" },
  ]);
});

it("each line has the id of the invocation, and each id is of one invocation", async () => {
  await addAndDeliver();
  const ids = logs().map((line) => line.function_request_id);
  expect(new Set(ids).size).toBe(3);
  expect(ids[2]).toBe(ids[3]);
});

it("a delivery keeps the id of its own call when another call has started the run", async () => {
  const { as, requestId, received, endpointId } = await addAndDeliver();
  const tested = await call(webhookTest, { as, data: { endpointId } });
  const [fanout] = await jobsOf(as, "fanout");
  await runWorker("fanout", [fanout?.id ?? ""]);
  const other = await call(documentsAdd, { as, data: { ...data, documents: [{ documentId: "e" }] } });
  const [second] = await jobsOf(as, "fanout");
  await runWorker("fanout", [second?.id ?? ""]);
  const [drain] = await jobsOf(as, "drain");
  await runWorker("drain", [drain?.id ?? ""]);
  const sent = received.map(({ headers }) => headers["x-request-id"]);
  expect(sent[0]).toBe(requestId);
  const own = [requestIdOf(tested), requestIdOf(other)].sort();
  expect(sent.slice(1).sort()).toEqual(own);
  const lines = logs().filter(({ message }) => message === "delivery");
  expect(
    lines
      .slice(1)
      .map((line) => line.correlation_id)
      .sort(),
  ).toEqual(own);
});
