// Adds and ends the presence of users on a document.
import type * as z from "zod/mini";
import { deleteAll } from "../dynamodb/batch-write.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commitEach } from "../jobs/commit.ts";
import { isWanted } from "../jobs/outbox.ts";
import { distinctBy } from "../schema/item-result.ts";
import type { PresentUser } from "../schema/presence.ts";
import * as User from "../store/access/user.ts";
import * as Document from "../store/content/document.ts";
import { isListenedTo } from "../store/listening.ts";
import { entering, presenceEntity, presentAmong } from "../store/presence.ts";
import type { DocumentRef } from "../store/refs.ts";
import { existingDocument } from "./existing.ts";

/** Marks users as present for so many seconds from now, or renews their presence. Throws NOT_FOUND without a document. */
export async function enter(
  ref: DocumentRef,
  users: readonly z.output<typeof PresentUser>[],
  lifetimeSeconds: number,
): Promise<void> {
  const { workspace, organizationId, documentId } = ref;
  const organization = { workspace, organizationId };
  const now = Date.now();
  const times = { updatedAt: new Date(now).toISOString(), ttl: Math.ceil(now / 1_000) + lifetimeSeconds };
  let rest = distinctBy(users, ({ userId }) => userId);
  await retryOnConflict("presence", async () => {
    const userIds = rest.map(({ userId }) => userId);
    const [{ documentUid }, stored] = await Promise.all([existingDocument(ref), User.getMany(organization, userIds)]);
    const document = { ...organization, documentUid };
    // Clients repeat this call every few seconds, so it reads who is present only when an event or a page needs that.
    const present =
      isListenedTo(ref) || (await isWanted("presence.add")) ? await presentAmong(document, userIds) : new Set<string>();
    const units = rest.map(({ metadata, ...user }, index) => {
      const { userId } = user;
      const text = metadata === undefined ? undefined : JSON.stringify(metadata);
      const presence = { ...user, generation: stored[index]?.generation, metadata: text, ...times };
      return { userId, writes: [entering(document, presence, present.has(userId))] };
    });
    const isWritten = await commitEach(units, (added) => {
      const arrived = added.map(({ userId }) => userId).filter((userId) => !present.has(userId));
      if (arrived.length === 0) return {};
      const data = { userIds: arrived };
      return { events: [{ type: "presence.add", workspace, organizationId, documentId, data }] };
    });
    // These users have left since the read. The next attempt adds them, with an event.
    rest = rest.filter(({ userId }, index) => !isWritten[index] && present.has(userId));
    return rest.length === 0 ? undefined : conflict;
  });
}

/** Ends the presence of users. Returns false if there is no such document. */
export async function leave(ref: DocumentRef, userIds: readonly string[]): Promise<boolean> {
  const { workspace, organizationId, documentId } = ref;
  const document = await Document.get(ref);
  if (!document) return false;
  const on = { workspace, organizationId, documentUid: document.documentUid };
  if (!isListenedTo(ref) && !(await isWanted("presence.delete"))) {
    await deleteAll(userIds.map((userId) => presenceEntity.key({ ...on, userId })));
    return true;
  }
  // The event names the users who are deleted, in the transaction of the deletions. The other users are not present.
  // A user who was added since the read stays present, because the event would not name the user.
  const present = await presentAmong(on, userIds);
  const units = [...present].map((userId) => ({
    userId,
    writes: [presenceEntity.delete({ ...on, userId }, "present")],
  }));
  await commitEach(units, (deleted) => {
    const data = { userIds: deleted.map(({ userId }) => userId) };
    return { events: [{ type: "presence.delete", workspace, organizationId, documentId, data }] };
  });
  return true;
}
