// Deletes items of feature data by id, with their entries in lists and their participations.
import { notedSteps } from "../call.ts";
import { chunks } from "../concurrency.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { commitEach } from "../jobs/commit.ts";
import type { FeatureKind } from "../schema/feature-kinds.ts";
import * as Feature from "../store/features/feature.ts";
import { eventsOf } from "./feature-events.ts";
import type { FoundDocument } from "./find-document.ts";
import { findFeatures } from "./find-features.ts";

/** Items that are read together. Each has up to 256 KB. */
const itemsTogether = 100;

const deletionOf = (kind: FeatureKind, id: string) =>
  ({
    comments: { type: "comment_annotation.delete", data: { annotationId: id } },
    reactions: { type: "reaction.delete", data: { reactionId: id } },
    recordings: { type: "recorder.delete", data: { recordingId: id } },
  })[kind] as { type: "comment_annotation.delete" | "reaction.delete" | "recorder.delete"; data: object };

/** Returns the ids of the items that existed. */
export async function deleteFeatures(
  document: FoundDocument,
  kind: FeatureKind,
  ids: readonly string[],
  actionUserId: string | undefined,
): Promise<Set<string>> {
  const noted = await notedSteps();
  const nameOf = new Map(ids.map((id, index) => [id, String(index)]));
  const wasDeleted = (id: string) => noted.has(nameOf.get(id) as string);
  const deleted = new Set(ids.filter(wasDeleted));
  for (const chunk of chunks(ids, itemsTogether)) {
    let rest = chunk.filter((id) => !wasDeleted(id)).map((id) => ({ kind, id }));
    await retryOnConflict("feature data", async () => {
      const found = await findFeatures(document, rest);
      const present = found.flatMap(({ stored, named }) => (stored ? [{ stored, named }] : []));
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
        .filter(({ stored }) => stored !== undefined && !deleted.has(stored.id))
        .map(({ feature }) => feature);
      return rest.length > 0 ? conflict : undefined;
    });
  }
  return deleted;
}
