// The key of the secrets is disabled, or waits for its deletion. Calls that need no secret work. The others say why they
// cannot, and all that waits is done when the key is enabled again.
import {
  CancelKeyDeletionCommand,
  DisableKeyCommand,
  EnableKeyCommand,
  KMSClient,
  ScheduleKeyDeletionCommand,
} from "@aws-sdk/client-kms";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { emailconfigUpdate } from "../../functions/messages/emailconfig-update.ts";
import { webhookSecretGet } from "../../functions/webhooks/webhook-secret-get.ts";
import { message } from "../../functions/workers/message.ts";
import { keyAlias as KeyId } from "../../infra/local/environment.ts";
import { call, must } from "../support/call.ts";
import { furnishedWorkspace, prepareFurniture } from "../support/contract/furnished-workspace.ts";
import { dataOf, posts } from "../support/contract/requests.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";
import { newContainers } from "../support/exact/containers.ts";
import { fakeDates, later } from "../support/fake-dates.ts";
import { jobsOf } from "../support/jobs.ts";
import { fannedOut, mention, messagesOf, withMail } from "../support/messages.ts";
import { deliver } from "../support/run-worker.ts";
import { sendGridForTest } from "../support/senders.ts";
import { addEndpoint, deliveriesOf, emit, eventOf, hooked, receiver, runDrains } from "../support/webhooks.ts";

fakeDates();
beforeAll(async () => {
  newTableInMemory();
  await prepareFurniture();
  newTableInMemory();
});

const refusal = {
  status: "UNAVAILABLE",
  message: "The service's key for secrets is disabled or deleted. Try again when the operator has enabled it.",
};

/** Makes the key unusable until the test ends or calls the returned function. All functions begin with empty caches. */
async function unusable(state: "disabled" | "pending deletion"): Promise<() => Promise<void>> {
  const kms = new KMSClient();
  const scheduled = state === "pending deletion";
  await kms.send(scheduled ? new ScheduleKeyDeletionCommand({ KeyId }) : new DisableKeyCommand({ KeyId }));
  newContainers();
  let isUsable = false;
  const enable = async () => {
    if (scheduled && !isUsable) await kms.send(new CancelKeyDeletionCommand({ KeyId }));
    isUsable = true;
    await kms.send(new EnableKeyCommand({ KeyId }));
  };
  onTestFinished(enable);
  return enable;
}

const withKey = posts.filter(({ grants }) => grants.some((grant) => grant.startsWith("key:")));

describe.each(withKey)("$name", (endpoint) => {
  it("is done without the key, or says that the key is disabled and is done when it is enabled", async () => {
    const as = await furnishedWorkspace(endpoint);
    const enable = await unusable("disabled");
    const request = { as, data: dataOf(endpoint), headers: { "idempotency-key": "key" } };
    const { status, body } = await call(endpoint, request);
    if (status === 200) return;
    expect([status, body.error]).toEqual([503, refusal]);
    await enable();
    expect((await call(endpoint, request)).status).toBe(200);
  });
});

it("a key that waits for its deletion is refused and works again like a disabled one", async () => {
  const as = await furnishedWorkspace();
  const request = { as, data: dataOf(webhookSecretGet) };
  const secret = await must(webhookSecretGet, request);
  const enable = await unusable("pending deletion");
  expect((await call(webhookSecretGet, request)).error).toEqual(refusal);
  await enable();
  expect(await must(webhookSecretGet, request)).toEqual(secret);
});

it("deliveries of webhooks wait for the key, and are made once", async () => {
  const { received, url } = await receiver();
  const { apiKey: workspace } = await hooked();
  const { id } = await addEndpoint(workspace, { url });
  const enable = await unusable("disabled");
  await emit(workspace, eventOf(workspace));
  expect(await deliveriesOf(workspace, id)).toMatchObject([{ attempts: 0 }]);
  await enable();
  later(60);
  await runDrains(workspace);
  expect(await deliveriesOf(workspace, id)).toMatchObject([{ status: "delivered", attempts: 1 }]);
  expect(received).toHaveLength(1);
});

it("messages wait for the key, and are sent once", async () => {
  const sendGrid = await sendGridForTest();
  const as = await withMail();
  const emailServiceConfig = { type: "external", apiKey: "SG.key", fromEmail: "us@example.com" };
  await must(emailconfigUpdate, { as, data: { emailServiceConfig } });
  await mention(as);
  await fannedOut(as);
  const run = async () => {
    later(600);
    const ids = (await jobsOf(as, "message")).map(({ id }) => id);
    await deliver(message, ids);
    return (await messagesOf(as)).map(({ state, error }) => [state, error]);
  };
  const enable = await unusable("disabled");
  expect(await run()).toEqual([["waiting", "The service failed."]]);
  await enable();
  expect(await run()).toEqual([["sent", undefined]]);
  expect(sendGrid.mails).toHaveLength(1);
});
