// Deletes knowledge sources. From then on questions do not find them, and a purge deletes their chunks.
import { purgeJob } from "../deletion/purge-job.ts";
import { commitEach } from "../jobs/commit.ts";
import * as Knowledge from "../store/ai/knowledge.ts";
import type { WorkspaceRef } from "../store/refs.ts";

/** Returns the ids of the deleted sources. The other sources did not exist. */
export async function forgetSources({ workspace }: WorkspaceRef, sourceIds: readonly string[]): Promise<Set<string>> {
  const found = (await Knowledge.getMany({ workspace }, sourceIds)).filter((source) => source !== undefined);
  const units = found.map(({ sourceId, sourceUid }) => ({
    sourceId,
    partitions: Knowledge.knowledgeSourceDescendants({ workspace, sourceUid }).partitions ?? [],
    writes: [Knowledge.knowledgeSourceEntity.delete({ workspace, sourceId }, { sourceUid })],
  }));
  const areDeleted = await commitEach(units, (deleted) => ({
    jobs: [
      purgeJob(
        workspace,
        deleted.flatMap(({ partitions }) => partitions),
      ),
    ],
  }));
  return new Set(units.filter((_, index) => areDeleted[index]).map(({ sourceId }) => sourceId));
}
