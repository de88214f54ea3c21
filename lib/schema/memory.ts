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

const mustHavePassed = z.refine<string | number>((moment) => !(timeOf(moment) > Date.now() + aheadMaxMs), {
  error: "Must not be in the future.",
});

const content = {
  decision: Decision.check(z.describe("What was decided.")),
  reasoning: NonEmptyText.check(
    z.describe(
      "Why it was decided, in words. Searches look at this text: at its first 66,560 characters, where a ligature such as U+FDFA counts as its letters.",
    ),
  ),
  actionUser: Person.check(z.describe("The user who decided.")),
  organizationId: optional(Id).check(z.describe("The organization that it is about. Absent: none.")),
  documentId: optional(Id).check(z.describe("The document that it is about. Absent: none.")),
  annotationId: optional(Id).check(z.describe("The comment annotation that it is about. Absent: none.")),
};

export const NewJudgment = z.object(
  {
    recordId: optional(Id).check(z.describe("The id of the judgment. Default: a new id.")),
    ...content,
    createdAt: optional(Moment.check(mustHavePassed)).check(
      z.describe(
        "When it was decided: ISO 8601, or milliseconds since 1970, not in the future. Default: the time of the call.",
      ),
    ),
  },
  mustBeObject,
);

/** A judgment as it is stored and returned. */
export const Judgment = z.object({
  recordId: z.string().check(z.describe("The id of the judgment.")),
  ...content,
  createdAt: IsoTime.check(z.describe("When it was decided.")),
});
export type Judgment = z.output<typeof Judgment>;

/** Strict: a filter that is ignored would widen the answer. */
export const Filters = z
  .strictObject(
    {
      decision: optional(z.union([Decision, listOf(Decision, 10)], "Must be a decision or a list of decisions.")).check(
        z.describe("Only judgments with this decision, or one of these."),
      ),
      dateRange: optional(
        z
          .strictObject(
            {
              start: optional(Moment).check(
                z.describe("The first moment: ISO 8601, or milliseconds since 1970. Absent: open."),
              ),
              end: optional(Moment).check(
                z.describe("The moment after the last: ISO 8601, or milliseconds since 1970. Absent: open."),
              ),
            },
            mustBeObject,
          )
          .check(
            z.refine(({ start, end }) => isInOrder(start, end), {
              error: "Must not end before it starts.",
              when: whenValid("start", "end"),
            }),
          ),
      ).check(z.describe("Only judgments that were decided in this time.")),
      annotationId: optional(Id).check(z.describe("Only judgments about this comment annotation.")),
      excludeDocumentIds: optional(listOf(Id, 20)).check(
        z.describe(
          "Leaves out judgments about these documents, at most 20. The `recordId` of a judgment or a citation stands for its document.",
        ),
      ),
    },
    mustBeObject,
  )
  .check(z.describe("Filters records before they are ranked. `start` is inclusive, `end` exclusive."));
export type Filters = z.output<typeof Filters>;

/** Distinct words of a question that count: each is looked up in all records. */
export const wordsMax = 256;
/** Words of a question that are corrected, or looked for inside of words: each is compared with the words of all records. */
export const correctedMax = 32;

/** The text of a question. White space alone counts as empty. */
export const queryOf = (what: string) =>
  Text.check(
    z.regex(/\S/, mustNotBeEmpty),
    z.describe(
      `${what} The first ${wordsMax} distinct words count. Of these, the first ${correctedMax} that no record has are corrected by one letter. In Chinese, Japanese, Korean, Thai, Arabic, Hebrew and scripts like these, each part of two or three characters counts as a word.`,
    ),
  );

/** Part of the reply to a question or search. */
export const PartialSearch = z
  .optional(z.literal(true))
  .check(
    z.describe(
      "Present if not all records in scope were searched: one call reads and indexes for 10 seconds at most. A later call searches more of it, the newest months and judgments first, up to 100,000 judgments or 192 MB of index: each word that no other record has takes about 150 bytes of it.",
    ),
  );
