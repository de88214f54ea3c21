import * as z from "zod/mini";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { searchJudgments } from "../../lib/memory/search.ts";
import { Filters, Judgment, PartialSearch, queryOf } from "../../lib/schema/memory.ts";
import { UpTo100 } from "../../lib/schema/paging.ts";
import { Id, optional } from "../../lib/schema/primitives.ts";

const limitDefault = 20;

export const memorySearch = endpoint({
  name: "memory-search",
  path: "/v2/memory/search",
  summary: "Search the memory",
  description:
    "Search the judgments of the workspace's memory; the best match comes first. The whole text of a judgment is searched, except for the end of a text that has many ligatures.",
  grants: ["table:read"],
  data: z.object({
    query: queryOf("What to search for, in words."),
    filters: optional(Filters),
    organizationId: optional(Id).check(
      z.describe("Only judgments about this organization. Absent: judgments about all organizations."),
    ),
    documentId: optional(Id).check(z.describe("Only judgments about this document. Ignored without organizationId.")),
    limit: optional(UpTo100.check(z.describe(`Most judgments of the reply. Default: ${limitDefault}.`))),
  }),
  example: { query: "unapproved discounts", organizationId: "acme", filters: { decision: "rejected" } },
  reply: z.object({
    judgments: z.array(Judgment).check(z.describe("The judgments that match, the best first.")),
    partial: PartialSearch,
  }),
  message: "Judgments found.",
  timeoutSeconds: 25,
  memoryMb: 1_024,

  async handle({ data: { query, limit = limitDefault, ...scope }, caller }) {
    const { found, isPartial } = await searchJudgments(caller.ref, { question: query, scope, limit });
    return { judgments: found, ...(isPartial && { partial: true as const }) };
  },
});
export const handler = readLambda(memorySearch);
