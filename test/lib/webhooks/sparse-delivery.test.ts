// The units of one event that reaches one endpoint, from the call to the end of its delivery.
import { expect, it } from "vitest";
import { drain } from "../../../functions/workers/drain.ts";
import { fanout } from "../../../functions/workers/fanout.ts";
import { inCall, newCall } from "../../../lib/call.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { newJob } from "../../../lib/store/job.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { drainJob } from "../../../lib/webhooks/endpoint-jobs.ts";
import { logs } from "../../support/capture-logs.ts";
import { deliver } from "../../support/run-worker.ts";
import { addEndpoint, eventOf, hooked, receiver } from "../../support/webhooks.ts";

it("a delivery on its own costs 14 write units", async () => {
  const workspace = (await hooked()).apiKey;
  const { received, url } = await receiver();
  const { id } = await addEndpoint(workspace, { url });
  const { version } = await Setting.get({ workspace }, "webhooks");
  const costs: unknown[] = [];
  for (let event = 0; event < 2; event++) {
    const payload = { eventsJson: JSON.stringify([eventOf(workspace)]), createdAt: new Date().toISOString(), version };
    const job = newJob("fanout", workspace, payload);
    const call = newCall("call", AbortSignal.timeout(60_000));
    await inCall(call, () => commit([], { jobs: [job] }));
    await deliver(fanout, [job.id]);
    await deliver(drain, [drainJob({ workspace, endpointId: id }).id]);
    const runs = logs().filter(({ message }) => message === "job");
    costs.push([call.cost.writeUnits, ...runs.slice(-2).map(({ writeUnits }) => writeUnits)]);
  }
  expect(received).toHaveLength(2);
  // The first claims write no index. The second event finds the drain's job done.
  // call: the job in a transaction 2, index 1
  // fanout: claim 1, delivery 1, drain's job 1 + index 1, end 1 + index 1
  // drain: claim 1, log 1, delivery 1, end 1 + index 1
  expect(costs).toEqual([
    [3, 6, 5],
    [3, 6, 5],
  ]);
});
