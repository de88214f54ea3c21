import * as z from "zod/mini";
import { refuseDeletion } from "../../lib/deletion/being-deleted.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { newId } from "../../lib/new-id.ts";
import { distinctBy } from "../../lib/schema/item-result.ts";
import { type Judgment, NewJudgment } from "../../lib/schema/memory.ts";
import { timeOf } from "../../lib/schema/moment.ts";
import { listOf } from "../../lib/schema/primitives.ts";
import { addJudgments } from "../../lib/store/ai/judgment-changes.ts";

export const judgmentsAdd = endpoint({
  name: "judgments-add",
  path: "/v2/memory/judgments/add",
  summary: "Add judgments",
  description: "Add judgments to the workspace's memory; a record with a known recordId is replaced.",
  grants: ["table:read", "table:write", "table:delete"],
  data: z.object({
    judgments: listOf(NewJudgment).check(
      z.describe("The judgments to add. A judgment with a known recordId replaces the stored judgment."),
    ),
  }),
  example: {
    judgments: [
      {
        recordId: "review-7",
        decision: "rejected",
        reasoning: "The headline promises a discount that legal has not approved.",
        actionUser: { userId: "alice", name: "Alice Meyer" },
        organizationId: "acme",
        documentId: "plan",
        createdAt: "2026-01-31T12:00:00Z",
      },
    ],
  },
  reply: z.object({
    recordIds: z.array(z.string()).check(z.describe("The ids of the judgments, in the order of the request.")),
  }),
  timeoutSeconds: 25,
  message: "Judgments added.",

  async handle({ data, caller }) {
    const now = Date.now();
    const judgments = data.judgments.map((each): Judgment => {
      const at = each.createdAt === undefined ? now : timeOf(each.createdAt);
      return { ...each, recordId: each.recordId ?? newId(), createdAt: new Date(at).toISOString() };
    });
    const distinct = distinctBy(judgments, ({ recordId }) => recordId);
    refuseDeletion(await addJudgments(caller.ref, distinct));
    return { recordIds: judgments.map(({ recordId }) => recordId) };
  },
});
export const handler = lambda(judgmentsAdd);
