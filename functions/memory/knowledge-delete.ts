import * as z from "zod/mini";
import { endpoint } from "../../lib/http/endpoint.ts";
import { byId, done } from "../../lib/http/item-results.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { forgetSources } from "../../lib/memory/forget-sources.ts";
import { ItemResult } from "../../lib/schema/item-result.ts";
import { distinct, ids } from "../../lib/schema/primitives.ts";

export const knowledgeDelete = endpoint({
  name: "knowledge-delete",
  path: "/v2/memory/knowledge/delete",
  group: "memory",
  summary: "Delete knowledge sources",
  description: "Delete knowledge sources. Later answers do not use them. An unknown source is no error.",
  grants: ["table:read", "table:write", "table:delete", "queue:purge"],
  data: z.object({
    sourceIds: ids().check(z.describe("The knowledge sources to delete. An unknown one is no error.")),
  }),
  example: { sourceIds: ["source-1"] },
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Knowledge sources deleted.",

  async handle({ data, caller }) {
    const sourceIds = distinct(data.sourceIds);
    const removed = await forgetSources(caller, sourceIds);
    return byId(sourceIds.map((id) => [id, done(id, removed.has(id) ? "Deleted." : "The source does not exist.")]));
  },
});
export const handler = lambda(knowledgeDelete);
