import * as z from "zod/mini";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { SourceId } from "../../lib/schema/fields.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { CreatedAt, Id, optional } from "../../lib/schema/primitives.ts";
import * as Knowledge from "../../lib/store/ai/knowledge.ts";

export const knowledgeList = endpoint({
  name: "knowledge-list",
  path: "/v2/memory/knowledge/list",
  summary: "List knowledge sources",
  description: "List the knowledge sources of the workspace's memory.",
  grants: ["table:read"],
  data: z.object({
    organizationId: optional(Id).check(z.describe("Only sources of this organization. Absent: all sources.")),
    ...pageRequest,
  }),
  example: { pageSize: 20 },
  reply: z.object({
    sources: z
      .array(
        z.object({
          sourceId: SourceId,
          fileName: z.optional(z.string()).check(z.describe("The name of the file. Absent: none was given.")),
          organizationId: z.optional(z.string()).check(z.describe("The organization. Absent: of the workspace.")),
          mimeType: z.string().check(z.describe("The type of the file.")),
          createdAt: CreatedAt,
          chunkCount: z.number().check(z.describe("Number of passages that a question can find.")),
        }),
      )
      .check(z.describe("The knowledge sources of this page.")),
    ...pageReply,
  }),
  message: "Knowledge sources retrieved.",

  async handle({ data: { organizationId }, data, caller }) {
    const list = listing(caller, organizationId === undefined ? ["knowledge"] : ["knowledge", organizationId], data);
    const page = await Knowledge.page(caller.ref, list.size, { from: list.from, organizationId });
    const sources = page.items.map(({ sourceId, fileName, organizationId, mimeType, createdAt, chunkCount = 0 }) => {
      return { sourceId, fileName, organizationId, mimeType, createdAt, chunkCount };
    });
    return { sources, nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(knowledgeList);
