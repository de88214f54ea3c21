// Wire shapes of the workspace's memory: judgments, and filters of questions and searches.
import * as z from "zod/mini";
import { mustBeObject, mustNotBeEmpty } from "./messages.ts";
import { isInOrder, Moment, timeOf } from "./moment.ts";
import { Person } from "./person.ts";
import { Id, IsoTime, listOf, NonEmptyText, optional, Text } from "./primitives.ts";
import { whenValid } from "./when-valid.ts";

const decisions = [
  "comment",
  "resolve",
  "approved",
  "rejected",
  "in_progress",
  "agree",
  "disagree",
  "endorse",
  "document_approved",
  "document_rejected",
] as const;

export const Decision = z.enum(decisions, `Must be one of ${decisions.join(", ")}.`);

/** Tolerance for clock differences between the client and the service. */
const aheadMaxMs = 5 * 60_000;

const mustHavePassed = z.refine<string | number>((moment) => timeOf(moment) <= Date.now() + aheadMaxMs, {
  error: "Must not be in the future.",
});

export const NewJudgment = z.object(
  {
    recordId: optional(Id),
    decision: Decision,
    reasoning: NonEmptyText,
    actionUser: Person,
    organizationId: optional(Id),
    documentId: optional(Id),
    annotationId: optional(Id),
    createdAt: optional(Moment.check(mustHavePassed)),
  },
  mustBeObject,
);

/** A judgment as it is stored and returned. */
export const Judgment = z.object({
  recordId: z.string(),
  decision: Decision,
  reasoning: z.string(),
  actionUser: z.object({ userId: z.string(), name: optional(z.string()), email: optional(z.string()) }),
  organizationId: optional(z.string()),
  documentId: optional(z.string()),
  annotationId: optional(z.string()),
  createdAt: IsoTime,
});
export type Judgment = z.output<typeof Judgment>;

export const Filters = z
  .object(
    {
      decision: optional(z.union([Decision, listOf(Decision, 10)], "Must be a decision or a list of decisions.")),
      dateRange: optional(
        z.object({ start: optional(Moment), end: optional(Moment) }, mustBeObject).check(
          z.refine(({ start, end }) => isInOrder(start, end), {
            error: "Must not end before it starts.",
            when: whenValid("start", "end"),
          }),
        ),
      ),
      annotationId: optional(Id),
      excludeDocumentIds: optional(listOf(Id, 20)),
    },
    mustBeObject,
  )
  .check(z.describe("Filters records before they are ranked. `start` is inclusive, `end` exclusive."));
export type Filters = z.output<typeof Filters>;

/** The text of a question. White space alone counts as empty. */
export const Query = Text.check(z.regex(/\S/, mustNotBeEmpty));

/** Part of the reply to a question or search. */
export const PartialSearch = z
  .optional(z.literal(true))
  .check(
    z.describe(
      "Present if not all records in scope were searched: the memory is too large for one call. A later call searches more of it, up to 100,000 judgments.",
    ),
  );
