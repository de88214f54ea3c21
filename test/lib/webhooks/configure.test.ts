import { expect, it } from "vitest";
import * as Setting from "../../../lib/store/setting.ts";
import * as WebhookEndpoint from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { updateEndpoint } from "../../../lib/webhooks/configure.ts";
import { addEndpoint, hooked } from "../../support/webhooks.ts";

it("updateEndpoint deletes the recorded failures of an endpoint that it enables", async () => {
  const { apiKey: workspace } = await hooked();
  const { id: endpointId } = await addEndpoint(workspace, { url: "https://example.com" });
  const ref = { workspace, endpointId };
  const set = { disabled: true, failingSince: 1, failedMessages: ["a", "b", "c"] };
  await WebhookEndpoint.update(ref, { set });
  const [switches, webhooks] = [await Setting.get(ref, "switches"), await Setting.get(ref, "webhooks")];
  await updateEndpoint(ref, { disabled: false }, { switches, webhooks });
  const stored = await WebhookEndpoint.get(ref);
  expect(stored).toMatchObject({ disabled: false });
  expect(stored).not.toHaveProperty("failingSince");
  expect(stored).not.toHaveProperty("failedMessages");
});
