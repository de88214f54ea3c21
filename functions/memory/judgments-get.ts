import * as z from "zod/mini";
import { pageOfIds } from "../../lib/dynamodb/sources.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { Judgment } from "../../lib/schema/memory.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { distinct, ids } from "../../lib/schema/primitives.ts";
import { getByRecordIds } from "../../lib/store/ai/judgment.ts";

const idsMax = 100;

export const judgmentsGet = endpoint({
  name: "judgments-get",
  path: "/v2/memory/judgments/get",
  summary: "Get judgments",
  description: "Get the judgments with the given record ids, in their order. Unknown ids are left out.",
  grants: ["table:read"],
  data: z.object({ recordIds: ids(idsMax).check(z.describe("The judgments, by their record ids.")), ...pageRequest }),
  example: { recordIds: ["review-7"] },
  reply: z.object({ judgments: z.array(Judgment).check(z.describe("The judgments.")), ...pageReply }),
  message: "Judgments retrieved.",

  async handle({ data, caller }) {
    const recordIds = distinct(data.recordIds);
    const list = listing(caller, ["judgments by id", ...recordIds], data, recordIds);
    const page = await pageOfIds(recordIds, { limit: list.size, from: list.from }, (some) =>
      getByRecordIds(caller.ref, some),
    );
    return { judgments: page.items, nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(judgmentsGet);
