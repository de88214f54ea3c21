// Each fault at each call of the workers fanout and message: each user gets one message with all events. A second copy
// has the same id and events, and comes only where a worker ended after the provider had accepted it
// (DECISIONS.md#one-message-for-an-event).
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { handler as addUsers, usersAdd } from "../../functions/access/users-add.ts";
import { handler as addDocuments, documentsAdd } from "../../functions/content/documents-add.ts";
import { handler as addData, documentsDataAdd } from "../../functions/content/documents-data-add.ts";
import { handler as addOrganizations, organizationsAdd } from "../../functions/content/organizations-add.ts";
import { emailconfigUpdate, handler as updateEmail } from "../../functions/workspace/emailconfig-update.ts";
import { slackconfigUpdate, handler as updateSlack } from "../../functions/workspace/slackconfig-update.ts";
import { dayOf } from "../../lib/messages/day.ts";
import type { Digest } from "../../lib/messages/digest.ts";
import { addressMax } from "../../lib/messages/limits.ts";
import { addressHash } from "../../lib/store/address-hash.ts";
import { take } from "../../lib/store/message-count.ts";
import { atEveryCall, faults, type Scene } from "../support/aws/faults.ts";
import { type Credentials, newWorkspace } from "../support/call.ts";
import { ann, bob } from "../support/messages.ts";
import { itemsOf } from "../support/scan.ts";
import { callSource } from "../support/workspace.ts";

/** What providers have accepted. Two that are equal are copies of one message. */
const sent: string[] = [];

vi.mock(import("../../lib/messages/channels.ts"), async (original) => {
  const { channels } = await original();
  const email = {
    name: "email",
    senderOf: async () => ({
      addressOf: async ({ email: address }: { email: string }) => ({ address }),
      send: async (digest: Digest) => {
        sent.push(JSON.stringify([digest.messageId, digest.entries]));
        return { isSent: true } as const;
      },
    }),
  } as const;
  return { channels: { ...channels, email } };
});

vi.mock(import("../../lib/messages/slack/api.ts"), () => ({
  lookUp: async () => ({ ok: true, body: { user: { id: "U0BOB" } } }),
  post: async (_token, userId, message) => {
    sent.push(JSON.stringify([userId, message]));
    return { ok: true, body: {} };
  },
}));

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const [organizationId, documentId] = ["o", "d"];

/** A thread with two comments that mention bob. `setUp` turns a channel on. */
const sceneOf = (setUp: (as: Credentials) => Promise<unknown>): Scene => ({
  arrange: async () => {
    const as = await newWorkspace();
    const made = async (...[handler, endpoint, data]: [...Parameters<typeof callSource>]) =>
      expect(await callSource(handler, endpoint, data, as)).toBe(200);
    const users = [ann, bob].map((user) => ({ ...user, email: `${user.userId}@example.com` }));
    const comments = ["c1", "c2"].map((commentId) => ({ commentId, from: ann, text: commentId, taggedUsers: [bob] }));
    const annotation = { annotationId: "x", from: ann, comments };
    await made(addOrganizations, organizationsAdd, { organizations: [{ organizationId }] });
    await made(addDocuments, documentsAdd, { organizationId, documents: [{ documentId }] });
    await setUp(as);
    await made(addUsers, usersAdd, { organizationId, users });
    await made(addData, documentsDataAdd, {
      organizationId,
      documentId,
      location: { id: "l" },
      comments: [annotation],
    });
    return as.apiKey;
  },
});

const withMail = async (as: Credentials) =>
  expect(await callSource(updateEmail, emailconfigUpdate, { useEmailService: true }, as)).toBe(200);

/** Bob's address has had its messages of the day. The next day, with the digest, comes soon. */
async function withMailOfTomorrow(as: Credentials): Promise<void> {
  const day = dayOf(Date.now());
  vi.setSystemTime(Date.parse(`${day}T22:00:00Z`));
  await withMail(as);
  const counted = { addressHash: await addressHash("bob@example.com"), day };
  for (let place = 0; place < addressMax; place++) await take(counted, addressMax);
}

const withSlack = async (as: Credentials) =>
  expect(await callSource(updateSlack, slackconfigUpdate, { isEnabled: true, botToken: "xoxb-a" }, as)).toBe(200);

/** Ends of a worker after the provider has accepted the message. */
const mayDouble = new Set<string>(["process killed", "process killed after the call", "woken after its lease ended"]);

describe.each([
  ["by e-mail", withMail, ["sent"]],
  // A message whose first attempt has failed is not in a digest: it is sent the next day.
  ["in the digest of the next day", withMailOfTomorrow, ["digest,sent", "sent"]],
  ["by Slack", withSlack, ["sent"]],
] as const)("%s", (_, setUp, states) => {
  it.each(faults)("a message arrives once: %s", async (fault) => {
    const calls = await atEveryCall(sceneOf(setUp), fault, async (workspace, what) => {
      const own = sent.splice(0);
      expect(own.length, what).toBeGreaterThan(0);
      expect(own.length, what).toBeLessThanOrEqual(mayDouble.has(fault) ? 2 : 1);
      expect(new Set(own).size, what).toBe(1);
      for (const each of ["c1", "c2"]) expect(own[0], what).toContain(`"${each}"`);
      const items = await itemsOf(workspace);
      const of = (name: string) => items.filter(({ entity }) => entity === name);
      const ended = of("message").map(({ state }) => String(state));
      expect(states, what).toContain(ended.join());
      expect([...of("waiting-message"), ...of("due-message"), ...of("open-message")], what).toEqual([]);
    });
    expect(calls).toBeGreaterThan(20);
  });
});
