// A workspace that sends e-mails, with a document that every user but the author watches: each has set ALL for it.
import { inCall, newCall } from "../../../lib/call.ts";
import { chunks } from "../../../lib/concurrency.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Write } from "../../../lib/dynamodb/write.ts";
import * as AuthToken from "../../../lib/store/access/auth-token.ts";
import { userEntity } from "../../../lib/store/access/user.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { documentWatcherEntity, watching } from "../../../lib/store/features/watcher.ts";
import { preferenceEntity } from "../../../lib/store/notifications/preference.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { callAs } from "../calls.ts";
import type { Credentials } from "../event.ts";

export const organizationId = "messages";
export const author = { userId: "author", name: "Ada Author" };
const documentId = "plan";
const at = "2026-01-01T00:00:00.000Z";
/** Users whose items are written together. */
const usersPerWrite = 5_000;

export async function must(as: Credentials, name: string, data: object) {
  const { statusCode, body } = await callAs(as, name, { organizationId, ...data });
  if (statusCode !== 200) throw new Error(`${name} returned ${statusCode}: ${body}`);
}

/** E-mail is off. */
export async function newScene(watchers: number): Promise<Credentials> {
  const { apiKey } = await Workspace.create({ name: "messages" });
  // Otherwise a workspace sends 10,000 messages a day.
  await Workspace.setLimits({ workspace: apiKey }, { messagesPerDay: 10_000_000 });
  const as = { apiKey, ...(await AuthToken.create({ workspace: apiKey })) };
  await must(as, "organizations-add", { organizations: [{ organizationId }] });
  await must(as, "domains-add", { domains: ["app.example.com"] });
  const metadata = { url: "https://app.example.com/documents/plan" };
  await must(as, "documents-add", { documents: [{ documentId, documentName: "Launch plan", metadata }] });
  await must(as, "users-add", { users: [{ ...author, email: "author@example.com", accessRole: "editor" }] });
  const comment = { commentId: "first", from: author, text: "Please have a look." };
  await must(as, "documents-data-add", {
    documentId,
    location: { id: "page-1" },
    comments: [{ annotationId: "thread", from: author, comments: [comment] }],
    actionUser: author,
  });
  const document = await Document.get({ workspace: apiKey, organizationId, documentId });
  await addWatchers(apiKey, document?.documentUid as DocumentUid, watchers);
  return as;
}

async function addWatchers(workspace: string, documentUid: DocumentUid, count: number): Promise<void> {
  const document = { workspace, documentUid };
  const member = { organizationId, accessRole: "viewer", createdAt: at, updatedAt: at } as const;
  const userIds = Array.from({ length: count }, (_, index) => `u${index}`);
  for (const group of chunks(userIds, usersPerWrite)) {
    const writes = group.flatMap((userId): Write[] => {
      const profile = { userId, name: `User ${userId}`, email: `${userId}@example.com` };
      const level = { userId, generation: 0, email: "ALL" } as const;
      return [
        userEntity.put({ workspace, organizationId, userId }, { ...member, ...profile }),
        preferenceEntity.put({ ...document, userId }, level),
        watching(documentWatcherEntity, { ...document, channel: "email", userId, generation: 0 }, "ALL"),
      ];
    });
    await putAll(writes.flatMap((write) => ("put" in write ? [{ put: write.put }] : [])));
  }
}

/** The workspace sends through its own account of SendGrid, so a key must be opened. What waits is due at once. */
export async function turnMailOn(as: Credentials): Promise<void> {
  const emailServiceConfig = { type: "external", apiKey: "SG.bench", fromEmail: "notes@example.com" };
  await must(as, "emailconfig-update", { useEmailService: true, emailBatchSeconds: 0, emailServiceConfig });
}

/** One event: all watchers get it. */
export const comment = (as: Credentials, commentId: string) =>
  must(as, "comments-add", {
    documentId,
    annotationId: "thread",
    comments: [{ commentId, from: author, text: `Comment ${commentId}: the dates have changed.` }],
    actionUser: author,
  });

/** Reaches all members. Those who watch also get a message. */
export const notify = (as: Credentials) =>
  must(as, "notifications-add", {
    documentId,
    actionUser: author,
    displayHeadlineMessageTemplate: "{actionUser} finished",
    displayBodyMessage: "Have a look.",
    notifyUsers: [],
    notifyAll: true,
  });

/** Runs `work` as a run of a worker. Returns its cost with it. */
export async function asRun<T>(work: () => Promise<T>) {
  const run = newCall("bench");
  const result = await inCall(run, work);
  return { result, cost: run.cost };
}
