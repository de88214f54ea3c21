// Knowledge that is deleted: a question finds nothing of it from then on, and a purge removes what hung from it.
import { purgeJob } from "../deletion/purge.ts";
import * as Table from "../dynamodb/table.ts";
import * as Knowledge from "../store/knowledge.ts";
import { memoryKeys } from "../store/memory-keys.ts";

/** Answers which of the sources there were. */
export async function forgetSources(workspace: string, sourceIds: readonly string[]): Promise<Set<string>> {
  const found = (await Knowledge.getMany(workspace, sourceIds)).filter((source) => source !== undefined);
  const units = found.map(({ sourceId, uid }) => {
    return { sourceId, uid, writes: [{ delete: memoryKeys.source(workspace, sourceId), if: { uid } }] };
  });
  const outcome = await Table.commitEach(units, (gone) => {
    const partitions = gone.map(({ uid }) => memoryKeys.chunks(workspace, uid));
    return { jobs: [purgeJob(workspace, partitions)] };
  });
  return new Set(units.filter((_, index) => outcome[index]).map(({ sourceId }) => sourceId));
}
