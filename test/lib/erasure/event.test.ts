// The event user.delete of an erasure.
import { expect, it, vi } from "vitest";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { dieBeforeCall } from "../../support/aws/edge.ts";
import { must } from "../../support/call.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { newDocument } from "../../support/feature-data.ts";
import { receive } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { addEndpoint, deliveriesOf, hooked, receiver, runDrains, runWaiting } from "../../support/webhooks.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

it("reaches webhooks once for each organization that knew the user, and has only the id", async () => {
  const as = await hooked();
  const { received, url } = await receiver();
  await addEndpoint(as.apiKey, { url, filterTypes: ["user.delete"] });
  await must(organizationsAdd, {
    as,
    data: { organizations: ["a", "b", "c"].map((organizationId) => ({ organizationId })) },
  });
  const users = [{ userId: "zoe-41c", name: "Zoe", email: "zoe@example.org" }];
  for (const organizationId of ["a", "b"]) await must(usersAdd, { as, data: { organizationId, users } });
  const jobId = await beginErasure(as.apiKey, { userIds: ["zoe-41c", "nobody"] });
  for (let run = 0; run < 2; run++, later(61)) {
    await receive(purge, [jobId]);
    await runWaiting(as.apiKey);
  }
  const bodies = received.map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ event, organizationId, data }) => [event, organizationId, data]).sort()).toEqual([
    ["user.delete", "a", { userId: "zoe-41c" }],
    ["user.delete", "b", { userId: "zoe-41c" }],
  ]);
  await erased(jobId);
  await runWaiting(as.apiKey);
  expect(received).toHaveLength(2);
  const naming = (await itemsOf(as.apiKey)).filter((item) => JSON.stringify(item).includes("zoe-41c"));
  expect(naming.map(({ entity }) => entity)).toEqual(["logged-delivery", "logged-delivery", "user", "user"]);
});

it("reaches a receiver that was down until the erasure was done", async () => {
  const as = await hooked();
  let isDown = true;
  const { received, url } = await receiver((response) => response.writeHead(isDown ? 503 : 200).end("zoe-41c?"));
  const { id: endpointId } = await addEndpoint(as.apiKey, { url, filterTypes: ["user.delete"] });
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  await must(usersAdd, { as, data: { organizationId, users: [{ userId: "zoe-41c" }] } });
  const jobId = await beginErasure(as.apiKey, { userIds: ["zoe-41c"] });
  await receive(purge, [jobId]);
  await runWaiting(as.apiKey);
  expect(received).toHaveLength(1);
  await erased(jobId);
  const [{ last } = expect.fail()] = await deliveriesOf(as.apiKey, endpointId);
  expect(last).not.toHaveProperty("answer");
  isDown = false;
  later(3_600);
  await runDrains(as.apiKey);
  expect(received.map(({ body }) => JSON.parse(body).data)).toEqual([{ userId: "zoe-41c" }, { userId: "zoe-41c" }]);
});

it("is stored once when the process dies before any call of the run that ends the access", async () => {
  for (let at = 0, isReached = true; isReached; at++) {
    const as = await newDocument();
    const workspace = as.apiKey;
    await must(usersAdd, { as, data: { organizationId, users: [{ userId: "u" }] } });
    await Setting.update({ workspace }, "webhooks", { wantedEvents: ["user.delete"] });
    const jobId = await beginErasure(workspace, { userIds: ["u"], organizationId });
    const wasReached = dieBeforeCall(at);
    await receive(purge, [jobId]);
    isReached = wasReached();
    vi.restoreAllMocks();
    later(3_600);
    await receive(purge, [jobId]);
    const events = (await itemsOf(workspace)).filter(({ kind, payload }) => {
      return kind === "fanout" && JSON.stringify(payload).includes("user.delete");
    });
    expect(events, `killed before call ${at}`).toHaveLength(1);
    if (!isReached) expect(at).toBeGreaterThan(5);
  }
});
