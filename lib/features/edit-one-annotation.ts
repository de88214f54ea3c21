import { existingDocument } from "../content/existing-document.ts";
import { beyondLimit, notFound } from "../errors.ts";
import type { DocumentRef } from "../store/refs.ts";
import { type Edit, editAnnotations } from "./edit-annotations.ts";

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
