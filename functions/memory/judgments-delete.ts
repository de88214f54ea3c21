import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { byId, done, ItemResult } from "../../lib/schema/item-result.ts";
import { distinct, ids } from "../../lib/schema/primitives.ts";
import { removeJudgments } from "../../lib/store/ai/judgment-changes.ts";

export const judgmentsDelete = endpoint({
  name: "judgments-delete",
  path: "/v2/memory/judgments/delete",
  summary: "Delete judgments",
  description: "Delete judgments. Later answers and searches do not use them. An unknown record is no error.",
  grants: ["table:read", "table:write", "table:delete"],
  data: z.object({ recordIds: ids().check(z.describe("The judgments to delete. An unknown one is no error.")) }),
  example: { recordIds: ["review-7"] },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Judgments deleted.",

  async handle({ data, caller }) {
    const recordIds = distinct(data.recordIds);
    const removed = await removeJudgments(caller.ref, recordIds);
    return byId(recordIds.map((id) => [id, done(id, removed.has(id) ? "Deleted." : "The judgment does not exist.")]));
  },
});
export const handler = lambda(judgmentsDelete);
