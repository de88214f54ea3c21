// Runs the bundle that sends messages, with SES on this machine.
import { startSes } from "../../infra/local/ses.ts";
import { commit } from "../../lib/jobs/commit.ts";
import { messageJob } from "../../lib/messages/channel.ts";
import * as Pause from "../../lib/store/messages/channel-pause.ts";
import * as Waiting from "../../lib/store/messages/waiting-message.ts";
import type { DocumentUid } from "../../lib/store/refs.ts";
import { jobsOf } from "./jobs.ts";
import { fannedOut, mention, withMail } from "./messages.ts";
import { runWorker } from "./run-worker.ts";
import { emailFrom } from "./senders.ts";

/** Errors of SES, by the scene in which each mail gets it. */
const errors = {
  mailSent: undefined,
  mailContentRefused: { type: "MessageRejected", message: "The content has a virus." },
  mailSuspended: { type: "AccountSuspendedException", message: "The account is suspended." },
} as const;

/** `linesOf`: returns the lines that the work logs. The lines of each scene. */
export async function recordMails<T>(linesOf: (work: () => Promise<unknown>) => Promise<T>) {
  const ses = await startSes({ identities: ["example.com"], configurationSets: [] });
  Object.assign(process.env, { AWS_ENDPOINT_URL_SESV2: ses.endpoint, EMAIL_FROM: emailFrom });
  const sending = async (name: keyof typeof errors) => {
    ses.fail(errors[name]);
    const as = await withMail();
    await mention(as);
    await fannedOut(as);
    const ids = (await jobsOf(as, "message")).map(({ id }) => id);
    return linesOf(() => runWorker("message", ids));
  };
  try {
    return {
      mailSent: await sending("mailSent"),
      mailContentRefused: await sending("mailContentRefused"),
      mailSuspended: await sending("mailSuspended"),
      mailBacklog: await linesOf(await late({ isPaused: false })),
      mailPaused: await linesOf(await late({ isPaused: true })),
    };
  } finally {
    await ses.close();
  }
}

/** A message that is an hour late. `isPaused`: its provider did not work in this hour. */
async function late({ isPaused }: { isPaused: boolean }): Promise<() => Promise<unknown>> {
  const { apiKey: workspace } = await withMail();
  const ref = { workspace, channel: "email" } as const;
  const dueAt = Date.now() - 3_600_000;
  const of = { organizationId: "o", documentUid: "gone" as DocumentUid, userId: "bob", generation: 0 };
  const event = { event: "comment.add", at: new Date(dueAt).toISOString(), origin: "origin" };
  const jobs = (await Waiting.add(ref, [{ ...of, ...event, dueAt }])).map(messageJob);
  await commit([], { jobs });
  if (isPaused) await Pause.set(ref, undefined, { until: Date.now() - 1, failingSince: dueAt, error: "It was down." });
  return () =>
    runWorker(
      "message",
      jobs.map(({ id }) => id),
    );
}
