import * as z from "zod/mini";
import { notFound } from "../../lib/errors.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { SourceId } from "../../lib/schema/fields.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { CreatedAt } from "../../lib/schema/primitives.ts";
import * as Knowledge from "../../lib/store/ai/knowledge.ts";

export const knowledgeGet = endpoint({
  name: "knowledge-get",
  path: "/v2/memory/knowledge/get",
  summary: "Get a knowledge source",
  description: "Get the text of a knowledge source, in the passages that questions find.",
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({ sourceId: SourceId, ...pageRequest }),
  reply: z.object({
    passages: z
      .array(
        z.object({
          recordId: z.string().check(z.describe("As in citations of answers.")),
          fileName: z.optional(z.string()).check(z.describe("The name of the file. Absent: none was given.")),
          text: z.string().check(z.describe("The text of the passage.")),
          createdAt: CreatedAt,
        }),
      )
      .check(z.describe("The passages of this page, in the order of the file.")),
    ...pageReply,
  }),
  message: "Knowledge source retrieved.",

  async handle({ data, caller: { workspace }, caller }) {
    const [source] = await Knowledge.findable({ workspace }, await Knowledge.getMany({ workspace }, [data.sourceId]));
    if (source?.chunkCount === undefined) throw notFound("knowledge source");
    const { sourceUid } = source;
    const list = listing(caller, ["knowledge passages", sourceUid], data);
    const page = await Knowledge.chunksPage({ workspace, sourceUid }, list.size, list.from);
    const passages = page.items.map((chunk) => Knowledge.passageOf(source, chunk));
    return { passages, nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(knowledgeGet);
