// What an operator sees of messages: a log line of each attempt, and metrics.
import { expect, it } from "vitest";
import { inCall, newCall } from "../../../lib/call.ts";
import type { Outcome } from "../../../lib/messages/channel.ts";
import { drainMessages } from "../../../lib/messages/drain-messages.ts";
import * as Pause from "../../../lib/store/messages/channel-pause.ts";
import { queueOf } from "../../../lib/store/messages/waiting-message.ts";
import { logs, logText } from "../../support/capture-logs.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { bob, drained, fannedOut, mailbox, mention, messagesOf, withMail } from "../../support/messages.ts";

fakeDates();

/** A mention that the provider answers so. Returns its log line and the metrics of the run. */
async function sentWith(outcome: Outcome) {
  const as = await withMail();
  await mention(as);
  await fannedOut(as);
  later(121);
  const run = newCall("test");
  await inCall(run, () =>
    drained(
      as,
      mailbox(() => outcome),
    ),
  );
  const {
    level,
    workspace,
    channel,
    attempt,
    outcome: state,
    error,
    ...rest
  } = logs().find(({ message }) => message === "message") ?? {};
  expect(workspace).toBe(as.apiKey);
  const [{ messageId } = {}] = await messagesOf(as);
  expect(messageId).toBeDefined();
  expect([Object.keys(rest).sort(), rest.messageId]).toEqual([
    ["correlation_id", "message", "messageId", "time"],
    messageId,
  ]);
  expect(logText()).not.toMatch(/bob@example|Shall we/);
  const { messagesSent, messagesFailed } = run.measures;
  return { line: { level, channel, attempt, state, error }, messagesSent, messagesFailed };
}

it.each([
  [
    { isSent: true },
    { level: "info", state: "sent", error: undefined },
    { messagesSent: 1, messagesFailed: undefined },
  ],
  [
    { refusal: "No." },
    { level: "warn", state: "failed", error: "No." },
    { messagesSent: undefined, messagesFailed: 1 },
  ],
  // It is tried again, so it is neither.
  [
    { again: "Down." },
    { level: "info", state: "waiting", error: "Down." },
    { messagesSent: undefined, messagesFailed: undefined },
  ],
] as const)("an attempt that ends with %j has one line, without address and text", async (outcome, line, counted) => {
  const seen = await sentWith(outcome);
  expect(seen).toEqual({ line: { channel: "email", attempt: 1, ...line }, ...counted });
});

/** How late the run of a message is that is due since `seconds`. */
async function backlogAfter(seconds: number, pause?: Pause.ChannelPause): Promise<number | undefined> {
  const as = await withMail();
  await mention(as);
  await fannedOut(as);
  later(seconds);
  if (pause) await Pause.set({ workspace: as.apiKey, channel: "email" }, undefined, pause);
  const run = newCall("test");
  const queue = queueOf({ workspace: as.apiKey, channel: "email" }, bob);
  await inCall(run, () => drainMessages(mailbox(), queue, Date.now() + 60_000));
  expect(run.measures.messagesSent).toBe(1);
  return run.measures.messageBacklogSeconds;
}

it("a late message is a backlog, but not if its provider did not work", async () => {
  expect(await backlogAfter(1_000)).toBeGreaterThan(990);
  const now = Date.now();
  expect(await backlogAfter(1_000, { until: now, failingSince: now, error: "Down." })).toBeUndefined();
});
