// Sends what waits in the queues of a workspace, as the worker does. Only the request to the provider is missing: it
// accepts each message at once, in this process.
import type { Channel } from "../../../lib/messages/channel.ts";
import { drainMessages } from "../../../lib/messages/drain-messages.ts";
import { emailChannel } from "../../../lib/messages/email/email-channel.ts";
import { renderEmail } from "../../../lib/messages/render/email.ts";
import { mailBytes } from "../../../lib/messages/render/mime.ts";
import { messageShards } from "../../../lib/store/messages/waiting-message.ts";
import type { Measured } from "../large/measure.ts";
import { asRun } from "./scene.ts";

/** A run begins nothing in its last 32 s (`drain.ts`). It sends for at most 30 s. */
const runMs = 32_000 + 30_000;

export type Sent = Pick<Measured, "runs" | "roundTrips" | "readUnits" | "writeUnits" | "cpuMs"> & {
  kmsCalls: number;
  mails: number;
};

/** Sends at least `most` messages, or all. */
export async function sendMails(workspace: string, most: number): Promise<Sent> {
  let mails = 0;
  const channel = accepting(() => mails++);
  const total = { runs: 0, roundTrips: 0, readUnits: 0, writeUnits: 0, kmsCalls: 0 };
  const cpu = process.cpuUsage();
  const waiting = new Set(messageShards);
  while (waiting.size > 0 && mails < most) {
    for (const shard of waiting) {
      if (mails >= most) break;
      const queue = { workspace, channel: "email", shard } as const;
      const { result: dueAt, cost } = await asRun(() => drainMessages(channel, queue, Date.now() + runMs));
      total.runs++;
      for (const name of ["roundTrips", "readUnits", "writeUnits", "kmsCalls"] as const) total[name] += cost[name];
      if (dueAt === undefined) waiting.delete(shard);
    }
  }
  const { user, system } = process.cpuUsage(cpu);
  return { ...total, mails, cpuMs: (user + system) / 1_000 };
}

/** The channel of e-mail with its settings, its secrets and its rendering. */
const accepting = (onMail: () => void): Channel => ({
  name: "email",
  async senderOf(ref) {
    const sender = await emailChannel.senderOf(ref);
    if ("problem" in sender) throw new Error(sender.problem);
    return {
      addressOf: sender.addressOf,
      async send(message, to) {
        const from = { address: "notes@example.com", name: "Acme Notes" };
        await mailBytes(renderEmail(message, { domain: "example.com" }), { from, to, date: new Date() });
        onMail();
        return { isSent: true };
      },
    };
  },
});
