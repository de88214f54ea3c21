import * as z from "zod/mini";
import { purgeJob } from "../../lib/deletion/purge-job.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import { byId, done, ItemResult } from "../../lib/schema/item-result.ts";
import { distinct, ids } from "../../lib/schema/primitives.ts";
import * as Knowledge from "../../lib/store/ai/knowledge.ts";

export const knowledgeDelete = endpoint({
  name: "knowledge-delete",
  path: "/v2/memory/knowledge/delete",
  summary: "Delete knowledge sources",
  description: "Delete knowledge sources. Later answers do not use them. An unknown source is no error.",
  grants: ["table:read", "table:write", "table:delete", "queue:purge"],
  data: z.object({
    sourceIds: ids().check(z.describe("The knowledge sources to delete. An unknown one is no error.")),
  }),
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Knowledge sources deleted.",

  async handle({ data, caller }) {
    const sourceIds = distinct(data.sourceIds);
    const found = (await Knowledge.getMany(caller.ref, sourceIds)).filter((source) => source !== undefined);
    const units = found.map(({ sourceId, sourceUid }) => ({
      sourceId,
      partitions: Knowledge.knowledgeSourceDescendants({ ...caller.ref, sourceUid }).partitions ?? [],
      writes: [Knowledge.knowledgeSourceEntity.delete({ ...caller.ref, sourceId }, { sourceUid })],
    }));
    // Questions do not find the sources from then on. The purge deletes their chunks.
    const areDeleted = await commitEach(units, (deleted) => ({
      jobs: [
        purgeJob(
          caller.workspace,
          deleted.flatMap(({ partitions }) => partitions),
        ),
      ],
    }));
    const removed = new Set(units.filter((_, index) => areDeleted[index]).map(({ sourceId }) => sourceId));
    return byId(sourceIds.map((id) => [id, done(id, removed.has(id) ? "Deleted." : "The source does not exist.")]));
  },
});
export const handler = lambda(knowledgeDelete);
