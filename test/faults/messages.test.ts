// Each fault at each call of the workers fanout, notify and message: each user gets one message with all events. A second
// copy has the same id and events, and comes only where a worker ended after the provider had accepted it
// (DECISIONS.md#attempts-of-messages).
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { handler as addData, documentsDataAdd } from "../../functions/comments/documents-data-add.ts";
import { handler as addDocuments, documentsAdd } from "../../functions/documents/documents-add.ts";
import { emailconfigUpdate, handler as updateEmail } from "../../functions/messages/emailconfig-update.ts";
import { slackconfigUpdate, handler as updateSlack } from "../../functions/messages/slackconfig-update.ts";
import { handler as addNotification, notificationsAdd } from "../../functions/notifications/notifications-add.ts";
import { handler as addOrganizations, organizationsAdd } from "../../functions/organizations/organizations-add.ts";
import { handler as addUsers, usersAdd } from "../../functions/users/users-add.ts";
import type { Outcome } from "../../lib/messages/channel.ts";
import type { MessageContent } from "../../lib/messages/message-content.ts";
import { dayOf } from "../../lib/messages/message-limits.ts";
import { atEveryCall, faults, type Scene } from "../support/aws/faults.ts";
import { type Credentials, newWorkspace } from "../support/call.ts";
import { ann, bob, fillAddress } from "../support/messages.ts";
import { itemsOf } from "../support/scan.ts";
import { callSource } from "../support/workspace.ts";

/** What providers have accepted. Two that are equal are copies of one message. */
const sent: string[] = [];
/** The ids of the messages that the provider has refused. Undefined: it refuses none. */
let refused: Set<string> | undefined;

/** The provider refuses each message once, and asks to wait. */
function answerTo({ messageId, entries }: MessageContent): Outcome {
  if (refused && !refused.has(messageId)) {
    refused.add(messageId);
    return { again: "Too many requests.", afterMs: 90_000 };
  }
  sent.push(JSON.stringify([messageId, entries]));
  return { isSent: true };
}

vi.mock(import("../../lib/messages/email/email-channel.ts"), () => ({
  emailChannel: {
    name: "email" as const,
    senderOf: async () => ({
      addressOf: async ({ email: address }: { email: string }) => ({ address }),
      send: async (message: MessageContent) => answerTo(message),
    }),
  },
}));

vi.mock(import("../../lib/messages/slack/api.ts"), () => ({
  lookUp: async () => ({ ok: true, body: { user: { id: "U0BOB" } } }),
  post: async (_token, userId, message) => {
    sent.push(JSON.stringify([userId, message]));
    return { ok: true, body: {} };
  },
}));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  refused = undefined;
});
afterEach(() => void vi.useRealTimers());

const [organizationId, documentId] = ["o", "d"];

type Made = (...call: [...Parameters<typeof callSource>]) => Promise<unknown>;

/** Two users and a document, of which bob is told by `tell`. `setUp` turns a channel on. */
const sceneOf = (setUp: (as: Credentials) => Promise<unknown>, tell: (made: Made) => Promise<unknown>): Scene => ({
  arrange: async () => {
    const as = await newWorkspace();
    const made: Made = async (handler, endpoint, data) =>
      expect(await callSource(handler, endpoint, data, as)).toBe(200);
    const users = [ann, bob].map((user) => ({ ...user, email: `${user.userId}@example.com` }));
    await made(addOrganizations, organizationsAdd, { organizations: [{ organizationId }] });
    await made(addDocuments, documentsAdd, { organizationId, documents: [{ documentId }] });
    await setUp(as);
    await made(addUsers, usersAdd, { organizationId, users });
    await tell(made);
    return as.apiKey;
  },
});

/** A thread with two comments that mention bob. */
function comments(made: Made): Promise<unknown> {
  const thread = ["c1", "c2"].map((commentId) => ({ commentId, from: ann, text: commentId, taggedUsers: [bob] }));
  const annotation = { annotationId: "x", from: ann, comments: thread };
  const data = { organizationId, documentId, location: { id: "l" }, comments: [annotation] };
  return made(addData, documentsDataAdd, data);
}

/** Bob is named. All others have it in their inbox alone. */
function notification(made: Made): Promise<unknown> {
  const texts = { displayHeadlineMessageTemplate: "c1", displayBodyMessage: "c2" };
  const data = { organizationId, documentId, actionUser: ann, notifyUsers: [bob], ...texts };
  return made(addNotification, notificationsAdd, data);
}

const withMail = async (as: Credentials) =>
  expect(await callSource(updateEmail, emailconfigUpdate, { useEmailService: true }, as)).toBe(200);

async function withRefusals(as: Credentials): Promise<void> {
  refused = new Set();
  await withMail(as);
}

/** Bob's address has had its messages of the day. The next day, with the digest, comes soon. */
async function withMailOfTomorrow(as: Credentials): Promise<void> {
  const day = dayOf(Date.now());
  vi.setSystemTime(Date.parse(`${day}T22:00:00Z`));
  await withMail(as);
  await fillAddress({ workspace: as.apiKey }, "bob@example.com");
}

const withSlack = async (as: Credentials) =>
  expect(await callSource(updateSlack, slackconfigUpdate, { isEnabled: true, botToken: "xoxb-a" }, as)).toBe(200);

/** Ends of a worker after the provider has accepted the message. */
const mayDouble = new Set<string>(["process killed", "process killed after the call", "woken after its lease ended"]);

describe.each([
  ["by e-mail", withMail, comments, ["sent"]],
  // A message whose first attempt has failed is not in a digest: it is sent the next day.
  ["in the digest of the next day", withMailOfTomorrow, comments, ["digest,sent", "sent"]],
  ["by Slack", withSlack, comments, ["sent"]],
  ["of a notification", withMail, notification, ["sent"]],
  ["at the second attempt, after a pause of the channel", withRefusals, comments, ["sent"]],
] as const)("%s", (_, setUp, tell, states) => {
  it.each(faults)("a message arrives once: %s", async (fault) => {
    const calls = await atEveryCall(sceneOf(setUp, tell), fault, async (workspace, what) => {
      const own = sent.splice(0);
      expect(own.length, what).toBeGreaterThan(0);
      expect(own.length, what).toBeLessThanOrEqual(mayDouble.has(fault) ? 2 : 1);
      expect(new Set(own).size, what).toBe(1);
      for (const each of ["c1", "c2"]) expect(own[0], what).toContain(`"${each}"`);
      const items = await itemsOf(workspace);
      const of = (name: string) => items.filter(({ entity }) => entity === name);
      const ended = of("message")
        .map(({ state }) => String(state))
        .sort();
      expect(states, what).toContain(ended.join());
      if (refused) expect(of("message")[0]?.attempts, what).toBeGreaterThan(1);
      expect([...of("waiting-message"), ...of("due-message"), ...of("open-message")], what).toEqual([]);
    });
    expect(calls).toBeGreaterThan(20);
  });
});
