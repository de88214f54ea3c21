import * as z from "zod/mini";
import { forUsers } from "../../lib/browser/gate.ts";
import { notedSteps } from "../../lib/call.ts";
import { chunks } from "../../lib/concurrency.ts";
import { existingDocument } from "../../lib/content/existing.ts";
import { conflict, retryOnConflict } from "../../lib/dynamodb/retry-on-conflict.ts";
import { mayChange } from "../../lib/features/authors.ts";
import { eventsOf } from "../../lib/features/feature-events.ts";
import type { FoundDocument } from "../../lib/features/find-document.ts";
import { findFeatures } from "../../lib/features/find-features.ts";
import { roomFor } from "../../lib/features/room.ts";
import { type CallingUser, endpoint } from "../../lib/http/endpoint.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import type { FeatureKind } from "../../lib/schema/feature-kinds.ts";
import { Kind, participationsMax } from "../../lib/schema/features.ts";
import { DocumentId, OrganizationId } from "../../lib/schema/fields.ts";
import { byId, done, failed, ItemResult } from "../../lib/schema/item-result.ts";
import { ActionUser } from "../../lib/schema/person.ts";
import { distinct, ids, optional } from "../../lib/schema/primitives.ts";
import * as Feature from "../../lib/store/features/feature.ts";

export const documentsDataDelete = endpoint({
  name: "documents-data-delete",
  path: "/v2/organizations/documents/data/delete",
  summary: "Delete comments, reactions or recordings",
  description: "Delete comments, reactions or recordings of a document. An unknown id is no error.",
  users: "edit",
  grants: ["table:read", "table:write", "table:delete"],
  events: ["comment_annotation.delete", "reaction.delete", "recorder.delete"],
  errors: ["NOT_FOUND"],
  data: z.object({
    organizationId: OrganizationId,
    documentId: DocumentId,
    kind: Kind,
    ids: ids().check(z.describe("The ids of the items to delete. An unknown one is no error.")),
    actionUser: optional(ActionUser),
  }),
  example: {
    organizationId: "acme",
    documentId: "plan",
    kind: "reactions",
    ids: ["reaction-1"],
    actionUser: { userId: "alice" },
  },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Feature data deleted.",

  async handle({ data, caller: { workspace, user } }) {
    const { organizationId, documentId, kind, actionUser } = data;
    const wanted = distinct(data.ids);
    const ref = { workspace, organizationId, documentId };
    const { documentUid } = await existingDocument(ref);
    const outcome = await deleteFeatures({ ...ref, documentUid }, kind, wanted, actionUser?.userId, user);
    return byId(wanted.map((id) => [id, resultOf(id, outcome)]));
  },
});
export const handler = lambda(documentsDataDelete, forUsers);

function resultOf(id: string, { deleted, ofOthers, beyond }: Deletions): ItemResult {
  if (beyond.has(id)) return failed(id, "beyond-limit", tooMany);
  if (ofOthers.has(id)) return failed(id, "not-author", "Only its author may delete an item.");
  return done(id, deleted.has(id) ? "Deleted." : "The item does not exist.");
}

const tooMany = `The items of one call have at most ${participationsMax} participants in all. Delete this one in another call.`;

/** Ids of items. `ofOthers`: another user wrote them, so they stay. `beyond`: the call has no room for their participants. */
interface Deletions {
  deleted: Set<string>;
  ofOthers: Set<string>;
  beyond: Set<string>;
}

/** Items that are read together. Each has up to 256 KB. */
const itemsTogether = 100;

const deletionOf = (kind: FeatureKind, id: string) =>
  ({
    comments: { type: "comment_annotation.delete", data: { annotationId: id } },
    reactions: { type: "reaction.delete", data: { reactionId: id } },
    recordings: { type: "recorder.delete", data: { recordingId: id } },
  })[kind] as { type: "comment_annotation.delete" | "reaction.delete" | "recorder.delete"; data: object };

/** Deletes items, with their entries in lists and their participations. `user`: deletes only what this user wrote. */
async function deleteFeatures(
  document: FoundDocument,
  kind: FeatureKind,
  ids: readonly string[],
  actionUserId: string | undefined,
  user: CallingUser | undefined,
): Promise<Deletions> {
  const noted = await notedSteps();
  const nameOf = new Map(ids.map((id, index) => [id, String(index)]));
  const wasDeleted = (id: string) => noted.has(nameOf.get(id) as string);
  const deleted = new Set(ids.filter(wasDeleted));
  const ofOthers = new Set<string>();
  const beyond = new Set<string>();
  const fits = roomFor(participationsMax);
  for (const chunk of chunks(ids, itemsTogether)) {
    let rest = chunk.filter((id) => !wasDeleted(id)).map((id) => ({ kind, id }));
    await retryOnConflict("feature data", async () => {
      const found = await findFeatures(document, rest);
      const all = found.flatMap(({ stored, named }) => (stored ? [{ stored, named }] : []));
      for (const { stored } of user ? all : []) {
        if (!mayChange(user, JSON.parse(stored.record).from)) ofOthers.add(stored.id);
      }
      for (const { id, participants } of all.map(({ stored }) => stored)) {
        if (!ofOthers.has(id) && !fits(id, participants.length)) beyond.add(id);
      }
      const present = all.filter(({ stored }) => !ofOthers.has(stored.id) && !beyond.has(stored.id));
      for (const { stored } of present) if (stored.hasFormer) await Feature.deleteFormerEntries(document, stored);
      const units = present
        .filter(({ stored }) => !stored.hasFormer)
        .map(({ stored, named }) => {
          const { id } = stored;
          const step = { name: nameOf.get(id) as string, outcome: "deleted" };
          return { id, step, writes: Feature.removal(document, stored, named) };
        });
      const isDeleted = await commitEach(units, (done) => ({
        events: done.flatMap(({ id }) => eventsOf(document, [deletionOf(kind, id)], actionUserId)),
      }));
      for (const [index, { id }] of units.entries()) if (isDeleted[index]) deleted.add(id);
      rest = found
        .filter(({ stored }) => stored && ![deleted, ofOthers, beyond].some((ids) => ids.has(stored.id)))
        .map(({ feature }) => feature);
      return rest.length > 0 ? conflict : undefined;
    });
  }
  return { deleted, ofOthers, beyond };
}
