import { queueLambda, worker } from "../../lib/jobs/worker-lambda.ts";
import { drainMessages } from "../../lib/messages/drain-messages.ts";
import { emailChannel } from "../../lib/messages/email/email-channel.ts";
import { slackChannel } from "../../lib/messages/slack/slack-channel.ts";
import type { MessageQueueRef } from "../../lib/store/messages/waiting-message.ts";

const channels = { email: emailChannel, slack: slackChannel };

export const message = worker({
  name: "message",
  jobs: "message",
  summary: "Sends the e-mails and Slack messages of a workspace that are due, and records the outcomes.",
  // A slow provider makes a run long. Runs for other workspaces must not wait for it.
  concurrencyMax: 100,
  batchSize: 1,
  grants: [
    "table:read",
    "table:write",
    "table:delete",
    "table:batch",
    "mail:send",
    "key:unseal:email-api-key",
    "key:unseal:slack-bot-token",
    ...(["key:seal:address-hash", "key:unseal:address-hash"] as const),
    "key:unseal:permission-provider",
  ],
  callsOut: true,
  makesLinks: true,

  async run({ workspace, payload }, until) {
    const queue = { workspace, ...(payload as Pick<MessageQueueRef, "channel" | "shard">) };
    const next = await drainMessages(channels[queue.channel], queue, until);
    if (!next) return "done";
    const delaySeconds = Math.max(0, Math.ceil((next.dueAt - Date.now()) / 1_000));
    return { again: { payload, delaySeconds, isStep: !next.isHeld } };
  },
});
export const handler = queueLambda(message);
