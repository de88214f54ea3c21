// Each fault at each call of the workers fanout and message: each user gets one message with all events. A second copy
// has the same id and events, and comes only where a worker ended after the provider had accepted it
// (DECISIONS.md#one-message-for-an-event).
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { handler as addUsers, usersAdd } from "../../functions/access/users-add.ts";
import { handler as addDocuments, documentsAdd } from "../../functions/content/documents-add.ts";
import { handler as addData, documentsDataAdd } from "../../functions/content/documents-data-add.ts";
import { handler as addOrganizations, organizationsAdd } from "../../functions/content/organizations-add.ts";
import { emailconfigUpdate, handler as updateEmail } from "../../functions/workspace/emailconfig-update.ts";
import type { Digest } from "../../lib/messages/digest.ts";
import { atEveryCall, faults, type Scene } from "../support/aws/faults.ts";
import { newWorkspace } from "../support/call.ts";
import { ann, bob } from "../support/messages.ts";
import { itemsOf } from "../support/scan.ts";
import { callSource } from "../support/workspace.ts";

const sent: Digest[] = [];

vi.mock(import("../../lib/messages/channels.ts"), async (original) => {
  const { channels } = await original();
  const email = {
    name: "email",
    senderOf: async () => ({
      addressOf: async ({ email: address }: { email: string }) => ({ address }),
      send: async (digest: Digest) => {
        sent.push(digest);
        return { isSent: true } as const;
      },
    }),
  } as const;
  return { channels: { ...channels, email } };
});

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const [organizationId, documentId] = ["o", "d"];

const scene: Scene = {
  arrange: async () => {
    const as = await newWorkspace();
    const made = async (...[handler, endpoint, data]: [...Parameters<typeof callSource>]) =>
      expect(await callSource(handler, endpoint, data, as)).toBe(200);
    const users = [ann, bob].map((user) => ({ ...user, email: `${user.userId}@example.com` }));
    const comments = ["c1", "c2"].map((commentId) => ({ commentId, from: ann, text: commentId, taggedUsers: [bob] }));
    const annotation = { annotationId: "x", from: ann, comments };
    await made(addOrganizations, organizationsAdd, { organizations: [{ organizationId }] });
    await made(addDocuments, documentsAdd, { organizationId, documents: [{ documentId }] });
    await made(updateEmail, emailconfigUpdate, { useEmailService: true });
    await made(addUsers, usersAdd, { organizationId, users });
    await made(addData, documentsDataAdd, {
      organizationId,
      documentId,
      location: { id: "l" },
      comments: [annotation],
    });
    return as.apiKey;
  },
};

/** Ends of a worker after the provider has accepted the message. */
const mayDouble = new Set<string>(["process killed", "process killed after the call", "woken after its lease ended"]);

it.each(faults)("a message arrives once: %s", async (fault) => {
  const calls = await atEveryCall(scene, fault, async (workspace, what) => {
    const own = sent.splice(0);
    expect(own.length, what).toBeGreaterThan(0);
    expect(own.length, what).toBeLessThanOrEqual(mayDouble.has(fault) ? 2 : 1);
    const told = own.map(({ messageId, entries }) => JSON.stringify([messageId, entries]));
    expect(new Set(told).size, what).toBe(1);
    expect(own[0]?.entries.length, what).toBe(3);
    const items = await itemsOf(workspace);
    const of = (name: string) => items.filter(({ entity }) => entity === name);
    expect(
      of("message").map(({ state }) => state),
      what,
    ).toEqual(["sent"]);
    expect([...of("waiting-message"), ...of("due-message"), ...of("open-message")], what).toEqual([]);
  });
  expect(calls).toBeGreaterThan(20);
});
