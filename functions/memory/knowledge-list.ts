import * as z from "zod/mini";
import { endpoint } from "../../lib/http/endpoint.ts";
import { readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { SourceId } from "../../lib/schema/fields.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { CreatedAt } from "../../lib/schema/primitives.ts";
import * as Knowledge from "../../lib/store/ai/knowledge.ts";

export const knowledgeList = endpoint({
  name: "knowledge-list",
  path: "/v2/memory/knowledge/list",
  summary: "List knowledge sources",
  description: "List the knowledge sources of the workspace's memory.",
  grants: ["table:read"],
  data: z.object({ ...pageRequest }),
  example: { pageSize: 20 },
  reply: z.object({
    sources: z
      .array(
        z.object({
          sourceId: SourceId,
          fileName: z.optional(z.string()).check(z.describe("The name of the file. Absent: none was given.")),
          mimeType: z.string().check(z.describe("The type of the file.")),
          createdAt: CreatedAt,
          chunkCount: z.number().check(z.describe("Number of passages that a question can find.")),
        }),
      )
      .check(z.describe("The knowledge sources of this page.")),
    ...pageReply,
  }),
  message: "Knowledge sources retrieved.",

  async handle({ data, caller }) {
    const list = listing(caller, ["knowledge"], data);
    const page = await Knowledge.page(caller.ref, list.size, list.from);
    const sources = page.items.map(({ sourceId, fileName, mimeType, createdAt, chunkCount = 0 }) => {
      return { sourceId, fileName, mimeType, createdAt, chunkCount };
    });
    return { sources, nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(knowledgeList);
