// A workspace whose users get messages, and a channel that keeps what it is given.

import { emailconfigUpdate } from "../../functions/messages/emailconfig-update.ts";
import { usersAdd } from "../../functions/users/users-add.ts";
import { fanout } from "../../functions/workers/fanout.ts";
import type { Channel, Outcome } from "../../lib/messages/channel.ts";
import { drainMessages } from "../../lib/messages/drain-messages.ts";
import { fanOutMessages } from "../../lib/messages/fan-out-messages.ts";
import type { MessageContent } from "../../lib/messages/message-content.ts";
import { dayOf, sharedMax, shareMax } from "../../lib/messages/message-limits.ts";
import type { Job } from "../../lib/store/job.ts";
import { addressHash as hashOf } from "../../lib/store/messages/address-hash.ts";
import type { Message } from "../../lib/store/messages/message.ts";
import { take } from "../../lib/store/messages/message-count.ts";
import { messageShards } from "../../lib/store/messages/waiting-message.ts";
import type { WorkspaceRef } from "../../lib/store/refs.ts";
import { type Credentials, must } from "./call.ts";
import { add, newDocument } from "./feature-data.ts";
import { jobsOf } from "./jobs.ts";
import { receive } from "./run-worker.ts";
import { itemsOf } from "./scan.ts";
import { organizationId } from "./workspace.ts";

export const ann = { userId: "ann", name: "Ann" };
export const bob = { userId: "bob", name: "Bob" };

/** A document with ann and bob, in a workspace that sends e-mails. */
export async function withMail(): Promise<Credentials> {
  const as = await newDocument();
  await must(emailconfigUpdate, { as, data: { useEmailService: true } });
  const users = [ann, bob].map((user) => ({ ...user, email: `${user.userId}@example.com` }));
  await must(usersAdd, { as, data: { organizationId, users } });
  return as;
}

/** A comment of ann that mentions bob: the annotation `x`, or another one. */
export const mention = (as: Credentials, annotationId = "x") =>
  add(
    as,
    { id: "page" },
    {
      comments: [
        {
          annotationId,
          from: ann,
          comments: [{ commentId: `${annotationId}1`, from: ann, text: "Shall we?", taggedUsers: [bob] }],
        },
      ],
    },
  );

/** Runs the fan-out of all events so far. Returns its jobs, as they were. */
export async function fannedOut(as: Credentials): Promise<Job[]> {
  const jobs = await jobsOf(as, "fanout");
  await receive(
    fanout,
    jobs.map(({ id }) => id),
  );
  return jobs;
}

/** Runs the fan-out of these jobs once more, as a worker whose lease has ended. */
export async function repeated(jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) await fanOutMessages(job, Date.now() + 60_000);
}

export interface Mailbox extends Channel {
  sent: { address: string; message: MessageContent }[];
}

/** `answer` decides what becomes of each message. By default it is sent. */
export function mailbox(
  answer: (message: MessageContent, address: string) => Outcome | Promise<Outcome> = () => ({ isSent: true }),
): Mailbox {
  const sent: Mailbox["sent"] = [];
  return {
    name: "email",
    sent,
    senderOf: async () => ({
      addressOf: async ({ email }) => ({ address: email }),
      send: async (message, address) => {
        const outcome = await answer(message, address);
        if ("isSent" in outcome) sent.push({ address, message });
        return outcome;
      },
    }),
  };
}

/** Runs the queues of a workspace. Returns when the next run is, ms since the epoch; undefined: nothing waits. */
export async function drained({ apiKey: workspace }: Credentials, channel: Channel): Promise<number | undefined> {
  const dues: number[] = [];
  for (const shard of messageShards) {
    const next = await drainMessages(channel, { workspace, channel: channel.name, shard }, Date.now() + 60_000);
    if (next) dues.push(next.dueAt);
  }
  return dues.length === 0 ? undefined : Math.min(...dues);
}

/** The list of messages, in the order of their ids. */
export async function messagesOf({ apiKey }: Credentials): Promise<Message[]> {
  const items = (await itemsOf(apiKey)).filter(({ entity }) => entity === "message");
  return (items as unknown as Message[]).toSorted((one, other) => (one.messageId < other.messageId ? -1 : 1));
}

/** What waits in the queues of a workspace: entities, each with the number of its items. */
export async function leftIn({ apiKey }: Credentials): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const { entity } of await itemsOf(apiKey)) {
    if (/^(?:waiting-message|due-message|open-message|channel-pause)$/.test(String(entity))) {
      counted[String(entity)] = (counted[String(entity)] ?? 0) + 1;
    }
  }
  return counted;
}

/** Uses up what a workspace may send today to an address, and what all may. */
export async function fillAddress({ workspace }: WorkspaceRef, address: string): Promise<void> {
  const shared = { addressHash: await hashOf(address), day: dayOf(Date.now()) };
  for (let place = 0; place < shareMax; place++) await take({ ...shared, workspace }, shareMax);
  for (let place = 0; place < sharedMax; place++) await take(shared, sharedMax);
}
