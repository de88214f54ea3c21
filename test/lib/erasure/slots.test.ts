import { expect, it } from "vitest";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { runErasure } from "../../../lib/erasure/run.ts";
import * as JobStore from "../../../lib/jobs/store.ts";
import type { Job } from "../../../lib/store/job.ts";
import { hold } from "../../../lib/store/waiting-slot.ts";
import { must, newWorkspace } from "../../support/call.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { nextRunOf } from "../../support/jobs.ts";
import { newOrganization, organizationId } from "../../support/workspace.ts";

fakeDates();

it("an erasure from all organizations ends the access before it waits for the slot", async () => {
  const organizationIds = Array.from({ length: 30 }, (_, index) => `o${index}`);
  const as = await newWorkspace();
  for (const each of organizationIds)
    await must(usersAdd, { as, data: { organizationId: each, createOrganization: true, users: [{ userId: "zoe" }] } });
  await hold({ workspace: as.apiKey }, "erasure", "another job", 60_000);
  const job = (await JobStore.get(await beginErasure(as.apiKey, { userIds: ["zoe"] }))) as Job;
  let payload = job.payload;
  // A run whose time is over does one step.
  while (!("pass" in payload)) ({ payload } = nextRunOf(await runErasure({ ...job, payload }, Date.now() - 1)));
  for (const each of organizationIds) {
    expect(await must(usersGet, { as, data: { organizationId: each } })).toMatchObject({ users: [] });
  }
  later(3_600);
  await erased(job.id);
});

it("an erasure waits for the slot, and then goes on where it stopped", async () => {
  const as = await newOrganization();
  const { apiKey: workspace } = as;
  await must(documentsAdd, { as, data: { organizationId, documents: [{ documentId: "d" }] } });
  const id = await beginErasure(workspace, { userIds: ["zoe"] });
  const job = (await JobStore.get(id)) as Job;
  const run = async (payload: Job["payload"], forMs: number) =>
    nextRunOf(await runErasure({ ...job, payload }, Date.now() + forMs));
  const first = await run(job.payload, 30_000);
  const stopped = await run(first.payload, -1);
  expect(stopped).toMatchObject({ delaySeconds: 5, payload: { pass: 1 } });
  later(3_600);
  await hold({ workspace }, "erasure", "another job", 60_000);
  const waiting = await run(stopped.payload, 30_000);
  expect(waiting.payload).toEqual(stopped.payload);
  expect(waiting.delaySeconds).toBeGreaterThanOrEqual(30);
  expect(waiting.delaySeconds).toBeLessThanOrEqual(60);
  await erased(id);
});
