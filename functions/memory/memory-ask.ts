import * as z from "zod/mini";
import { inModelSlot } from "../../lib/ai/complete.ts";
import { aiKeyGrants } from "../../lib/grants.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { answerFrom } from "../../lib/memory/answer.ts";
import { isRelevant } from "../../lib/memory/retrieve.ts";
import { search } from "../../lib/memory/search.ts";
import { Filters, PartialSearch, queryOf } from "../../lib/schema/memory.ts";
import { mustBeAtLeast } from "../../lib/schema/messages.ts";
import { Id, optional } from "../../lib/schema/primitives.ts";
import { whenValid } from "../../lib/schema/when-valid.ts";

const timeoutSeconds = 27;
/** Time to check the model's answer and to reply, after the model's deadline. */
const reserveMs = 1_000;
/** Records that the service sends to the model. */
const recordsMax = 20;

interface Names {
  organizationId?: string | undefined;
  orgId?: string | undefined;
  documentId?: string | undefined;
  docId?: string | undefined;
}

/** A field and its alias may both be present if they are equal. */
const sameAs = (name: keyof Names, alias: keyof Names) =>
  z.refine<Names>((data) => data[alias] === undefined || data[name] === undefined || data[alias] === data[name], {
    error: `Must be the same as ${name}, or absent.`,
    path: [alias],
    when: whenValid(name, alias),
  });

const needsOrganization = z.refine<Names & { filters?: Filters | undefined }>(
  ({ filters, organizationId, orgId }) =>
    filters?.annotationId === undefined || (organizationId ?? orgId) !== undefined,
  {
    error: "Requires organizationId.",
    path: ["filters", "annotationId"],
    when: whenValid("filters.annotationId", "organizationId", "orgId"),
  },
);

export const memoryAsk = endpoint({
  name: "memory-ask",
  path: "/v2/memory/ask",
  contract: 22,
  summary: "Ask the memory",
  description: "Answer a question from judgments and knowledge files, of the workspace or of one organization.",
  settings: ["ai"],
  grants: ["table:read", "table:slots", ...aiKeyGrants("unseal")],
  // A call to a model costs money.
  scope: "write",
  callsOut: true,
  errors: ["FAILED_PRECONDITION"],
  envelope: "raw",
  data: z
    .object({
      question: queryOf("The question, in any language."),
      organizationId: optional(Id).check(
        z.describe("Only judgments about this organization, and its files. Absent: all judgments and all files."),
      ),
      orgId: optional(Id).check(z.describe("Alias of organizationId.")),
      documentId: optional(Id).check(z.describe("Ignored without organizationId.")),
      docId: optional(Id).check(z.describe("Alias of documentId.")),
      filters: optional(Filters),
      recencyDays: optional(
        z
          .int("Must be a whole number from 1 to 365.")
          .check(z.minimum(1, mustBeAtLeast(1)), z.maximum(365, "Must be at most 365."))
          .check(
            z.describe(
              "Only the last N complete UTC days, instead of filters.dateRange. Ignored with filters.annotationId.",
            ),
          ),
      ),
    })
    .check(sameAs("organizationId", "orgId"), sameAs("documentId", "docId"), needsOrganization),
  example: { question: "Why was the discount rejected?", organizationId: "acme" },
  reply: z.object({
    result: z
      .object({
        answer: z.string().check(z.describe("The answer. Empty: the records do not answer the question.")),
        citations: z
          .array(
            z.object({
              recordId: z.string().check(z.describe("The judgment or the passage that is cited.")),
              snippet: z.string().check(z.describe("The cited words.")),
              verified: z.boolean().check(z.describe("Whether the record really contains the snippet.")),
            }),
          )
          .check(z.describe("The records on which the answer is based, at most 100.")),
        confidence: z
          .number()
          .check(z.describe("How strong the evidence is, from 0 to 1. It is computed from the citations.")),
        recordsSearched: z.number().check(z.describe("How many judgments the model got.")),
        partial: PartialSearch,
      })
      .check(z.describe("The answer.")),
  }),
  message: "Question answered.",
  timeoutSeconds,
  memoryMb: 1_024,

  async handle({ data, caller }) {
    const deadline = Date.now() + timeoutSeconds * 1_000 - reserveMs;
    const { question, filters, recencyDays } = data;
    const { organizationId = data.orgId, documentId = data.docId } = data;
    const scope = { organizationId, documentId, filters, recencyDays };
    const { workspace } = caller;
    const ai = await caller.setting("ai");
    // The slot is held during the search too, so a call that is refused has not searched.
    return inModelSlot({ workspace, ai }, async () => {
      const { found, isPartial } = await search({ workspace }, { question, scope, limit: recordsMax });
      const partial = isPartial ? ({ partial: true } as const) : {};
      if (!isRelevant(found))
        return { result: { answer: "", citations: [], confidence: 0, recordsSearched: 0, ...partial } };
      const answer = await answerFrom({ workspace, ai, question, deadline }, found);
      return { result: { ...answer, recordsSearched: found.filter(({ judgment }) => judgment).length, ...partial } };
    });
  },
});
export const handler = readLambda(memoryAsk);
