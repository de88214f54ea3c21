// Changes stored comment annotations (DECISIONS.md#changes-of-comment-annotations). The condition of each write is the
// version that was read. When another call was faster, the change is decided again. So two replies that are added at
// the same time are both kept.
import { isDeepStrictEqual } from "node:util";
import { notedSteps } from "../call.ts";
import { chunks } from "../concurrency.ts";
import { existingDocument } from "../content/existing.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { beyondLimit, notFound } from "../errors.ts";
import { commitEach } from "../jobs/commit.ts";
import { type CommentAnnotation, problemOf } from "../schema/features.ts";
import { participantsOf } from "../schema/participants.ts";
import * as Feature from "../store/features/feature.ts";
import type { DocumentRef } from "../store/refs.ts";
import { changes } from "./annotation-changes.ts";
import { eventsOf } from "./feature-events.ts";
import type { FoundDocument } from "./find-document.ts";
import { type FoundFeature, findFeatures } from "./find-features.ts";
import { roomFor } from "./room.ts";

/** `results`: the outcome of each part of the request, in one word. A repeated call replies the same outcomes. */
interface Edited {
  after: CommentAnnotation;
  results?: readonly string[];
}

/** `at`: when the change is made, ISO 8601. Must be pure: it can be called several times. */
export type Edit = (annotation: CommentAnnotation, at: string) => Edited;

export type EditOutcome =
  | { state: "changed" | "unchanged"; results: readonly string[] }
  | { state: "missing" }
  /** The annotation would exceed a limit, so it stays unchanged. */
  | { state: "beyond-limit"; problem: string };

/** Annotations that are read together. Each has up to 256 KB. */
const itemsTogether = 100;
const kind = "comments" as const;

/** Characters of all annotations of one call. To read and write them takes about 3 s. */
const charactersMax = 64_000_000;
const tooLarge = `The annotations of one call have at most ${charactersMax} characters in all. Change this one in another call.`;

/** Returns the outcome of each id. `actionUserId`: who makes the change. */
export async function editAnnotations(
  document: FoundDocument,
  ids: readonly string[],
  edit: Edit,
  actionUserId: string | undefined,
): Promise<Map<string, EditOutcome>> {
  const noted = await notedSteps();
  const nameOf = new Map(ids.map((id, index) => [id, String(index)]));
  const outcome = new Map<string, EditOutcome>();
  const fits = roomFor(charactersMax);
  for (const chunk of chunks(ids, itemsTogether)) {
    await retryOnConflict("comment annotation", async () => {
      const at = new Date().toISOString();
      const rest = chunk.filter((id) => !outcome.has(id)).map((id) => ({ kind, id }));
      const found = await findFeatures(document, rest);
      for (const { stored } of found) if (stored?.hasFormer) await Feature.deleteFormerEntries(document, stored);
      const units = found.flatMap((each) => (each.stored?.hasFormer ? [] : unitsOf(each, at)));
      const isWritten = await commitEach(units, (done) => ({ events: done.flatMap(({ events }) => events) }));
      const written = units.filter((_, index) => isWritten[index]);
      for (const { id, results } of written) outcome.set(id, { state: "changed", results });
      for (const { next } of written) if (next.hasFormer) await Feature.deleteFormerEntries(document, next);
      return chunk.every((id) => outcome.has(id)) ? undefined : conflict;
    });
  }
  return outcome;

  /** None when the outcome is decided. */
  function unitsOf({ feature: { id }, stored }: FoundFeature<Feature.FeatureName>, at: string) {
    const name = nameOf.get(id) as string;
    const earlier = noted.get(name);
    if (earlier !== undefined) return decided(id, { state: "changed", results: earlier.split(" ") });
    if (!stored) return decided(id, { state: "missing" });
    if (!fits(id, stored.record.length)) return decided(id, { state: "beyond-limit", problem: tooLarge });
    const before = JSON.parse(stored.record) as CommentAnnotation;
    const { after: edited, results = [] } = edit(before, at);
    if (isDeepStrictEqual(before, edited)) return decided(id, { state: "unchanged", results });
    const after = { ...edited, updatedAt: at };
    const problem = problemOf(before, after);
    if (problem) return decided(id, { state: "beyond-limit", problem });
    const given = { record: JSON.stringify(after), participants: participantsOf.comments(after), at };
    const events = eventsOf(document, changes(before, edited), actionUserId);
    const ref = { ...document, ...stored, workspace: document.workspace };
    const { writes, next } = Feature.replacing(ref, given, stored);
    const step = { name, outcome: results.join(" ") };
    return [{ id, writes, next, results, step, events, eventCharacters: JSON.stringify(events).length }];
  }

  function decided(id: string, result: EditOutcome): [] {
    outcome.set(id, result);
    return [];
  }
}

interface Target extends DocumentRef {
  annotationId: string;
  actionUserId: string | undefined;
}

/** Returns the results of the edit. Throws NOT_FOUND without the document or the annotation, and RESOURCE_EXHAUSTED beyond a limit of annotations. */
export async function editOneAnnotation(
  { annotationId, actionUserId, ...ref }: Target,
  edit: Edit,
): Promise<readonly string[]> {
  const { documentUid } = await existingDocument(ref);
  const outcomes = await editAnnotations({ ...ref, documentUid }, [annotationId], edit, actionUserId);
  const outcome = outcomes.get(annotationId);
  if (!outcome || outcome.state === "missing") throw notFound("comment annotation");
  if (outcome.state === "beyond-limit") throw beyondLimit(outcome.problem);
  return outcome.results;
}
