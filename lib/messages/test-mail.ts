// Sends a test mail to an address, in the way in which the workspace's e-mails are sent now
// (DECISIONS.md#limits-of-messages).
import { beyondLimit } from "../errors.ts";
import { commit } from "../jobs/commit.ts";
import { log } from "../log.ts";
import { newId } from "../new-id.ts";
import * as Message from "../store/messages/message.ts";
import * as Count from "../store/messages/message-count.ts";
import type { DocumentUid, WorkspaceRef } from "../store/refs.ts";
import { emailChannel } from "./email/email-channel.ts";
import type { MessageContent } from "./message-content.ts";
import { admissionOf } from "./message-limits.ts";

/** Most test mails of a workspace in an hour. */
export const testsMax = 5;
const hourMs = 3_600_000;

const testEvent = "email.test";

interface TestMail {
  messageId: string;
  state: "sent" | "failed";
  /** Why it was not sent. */
  error?: string;
}

/** Throws RESOURCE_EXHAUSTED beyond the limit of an hour. */
export async function sendTestMail({ workspace }: WorkspaceRef, email: string): Promise<TestMail> {
  const now = Date.now();
  const createdAt = new Date(now).toISOString();
  const origin = newId();
  const messageId = Message.messageIdOf("email", noDocument, { userId: "", origin, at: createdAt });
  const result = await attempt({ workspace }, email, messageId, createdAt);
  const { state, error, isTried } = result;
  const record: Omit<Message.Message, "ttl"> = {
    ...{ messageId, organizationId: "", documentUid: noDocument, userId: "", events: [testEvent], createdAt, state },
    channel: "email",
    attempts: Number(isTried),
    ...(isTried && { lastAttemptAt: createdAt }),
    ...(error !== undefined && { error }),
  };
  await commit([Message.recordingOfTest({ workspace }, record)]);
  const line = { workspace, channel: "email", messageId, attempt: Number(isTried), outcome: state, error };
  log(state === "sent" ? "info" : "warn", "message", line);
  return { messageId, state, ...(error !== undefined && { error }) };
}

/** A test is about no document, and for no user. */
const noDocument = "" as DocumentUid;

async function takeTest({ workspace }: WorkspaceRef, now: number): Promise<void> {
  const hourAt = Math.floor(now / hourMs) * hourMs;
  if (await Count.take({ workspace, day: new Date(hourAt).toISOString() }, testsMax)) return;
  const message = `The workspace has sent ${testsMax} test mails since the hour began. Send the next one in the next hour.`;
  throw beyondLimit(message, Math.ceil((hourAt + hourMs - now) / 1_000));
}

interface Attempt {
  state: "sent" | "failed";
  error?: string | undefined;
  /** The provider was asked to send. */
  isTried: boolean;
}

async function attempt(
  { workspace }: WorkspaceRef,
  email: string,
  messageId: string,
  createdAt: string,
): Promise<Attempt> {
  const notTried = (error: string): Attempt => ({ state: "failed", error, isTried: false });
  const sender = await emailChannel.senderOf({ workspace });
  if ("problem" in sender) return notTried(sender.problem);
  const found = await sender.addressOf({ workspace, organizationId: "", userId: "", email });
  if ("problem" in found) return notTried(found.problem);
  if ("again" in found) return notTried(found.again);
  // A failure before the request costs nothing. The caller can repair the settings and try again.
  await takeTest({ workspace }, Date.parse(createdAt));
  const queue = { workspace, channel: "email" } as const;
  const admission = await admissionOf({ queue, messageId, address: found.address, mayBeInDigest: false });
  if ("refusal" in admission) return notTried(admission.refusal);
  // A test is not sent later.
  if ("later" in admission) return notTried(admission.error.replace(/ This one .*/, ""));
  if ("digest" in admission) return notTried(admission.digest);
  const outcome = await sender.send(testContent(messageId, createdAt), found.address);
  if ("isSent" in outcome) return { state: "sent", isTried: true };
  return { state: "failed", error: "refusal" in outcome ? outcome.refusal : outcome.again, isTried: true };
}

const testContent = (messageId: string, at: string): MessageContent => ({
  messageId,
  reader: { userId: "" },
  document: { documentId: "test", name: "Test" },
  entries: [
    {
      kind: "notification",
      at,
      actorName: "",
      headline: "This is a test mail.",
      text: "It shows that this workspace can send e-mail. Somebody who administers the workspace has sent it to you.",
    },
  ],
  moreCount: 0,
  threadId: messageId,
});
