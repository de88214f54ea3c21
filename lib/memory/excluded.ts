// What a question excludes. Besides documents, it can name records of earlier replies, which stand for their documents.
import type { Judgment } from "../schema/memory.ts";
import { getByRecordIds, judgmentEntity, monthOf } from "../store/ai/judgment.ts";
import type { KnowledgeSource } from "../store/ai/knowledge.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { Fields, Filter } from "./entry.ts";

/** The filter of the judgments that are excluded. A judgment without a document stands for itself. */
export async function excludedJudgments(ref: WorkspaceRef, ids: readonly string[] = []): Promise<Filter> {
  const documentIds = new Set(ids);
  const judgments = await getByRecordIds(ref, ids);
  const named = judgments.flatMap((each) => (each ? sameDocumentAs(ref, each) : []));
  return (fields) =>
    (fields.documentId !== undefined && documentIds.has(fields.documentId)) || named.some((isSame) => isSame(fields));
}

/** Organizations can have documents with the same id. */
function sameDocumentAs({ workspace }: WorkspaceRef, judgment: Judgment): Filter {
  const { organizationId = "", documentId, createdAt } = judgment;
  const ref = { ...judgment, workspace, organizationId, month: monthOf(createdAt) };
  if (documentId === undefined) {
    const { pk, sk } = judgmentEntity.key(ref);
    return (fields) => fields.sk === sk && fields.pk === pk;
  }
  const organization = judgmentEntity.partition({ ...ref, month: "" });
  return (fields: Fields) => fields.documentId === documentId && fields.pk.startsWith(organization);
}

/** The sources without those that the ids name, or a passage of theirs. */
export function withoutExcluded(sources: readonly KnowledgeSource[], ids: readonly string[] = []): KnowledgeSource[] {
  const excluded = new Set(ids.flatMap((id) => [id, id.replace(/\.\d+$/, "")]));
  return sources.filter(({ sourceId }) => !excluded.has(sourceId));
}
