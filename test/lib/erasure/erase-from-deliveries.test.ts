import { expect, it } from "vitest";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { webhookDeliveriesGet } from "../../../functions/webhooks/webhook-deliveries-get.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { must } from "../../support/call.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { addEndpoint, deliveriesOf, emit, eventOf, hooked, receiver, runDrains } from "../../support/webhooks.ts";

fakeDates();

const zoe = "zoe@example.org";

it.each([
  ["all organizations", undefined],
  ["one organization", "o"],
])("a user is removed from the answers of all attempts; erased from %s", async (_, organizationId) => {
  const as = await hooked();
  const workspace = as.apiKey;
  if (organizationId) await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  let answers = 0;
  const { url } = await receiver((response) => {
    response.statusCode = 500;
    response.end(`Answer ${++answers}: no ${zoe}.`);
  });
  const { id: endpointId } = await addEndpoint(workspace, { url });
  await emit(workspace, eventOf(workspace, "d"));
  later(10);
  await runDrains(workspace);
  const [delivery] = await deliveriesOf(workspace, endpointId);
  expect(delivery?.attempts).toBe(2);
  await erased(await beginErasure(workspace, { userIds: [zoe], organizationId }));
  const shown = await must(webhookDeliveriesGet, { as, data: { endpointId, deliveryId: delivery?.id } });
  expect(shown.deliveries[0].attemptLog).toHaveLength(2);
  expect(JSON.stringify(shown)).not.toContain(zoe);
});
