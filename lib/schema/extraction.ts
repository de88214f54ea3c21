// Wire shapes of an extraction's result.
import * as z from "zod/mini";
import { UserContextField } from "./agents.ts";
import { SourceId } from "./fields.ts";

export const AgentDraft = z.object({
  name: z.string().check(z.describe("The name of the agent.")),
  description: z.string().check(z.describe("One sentence.")),
  prompt: z.string().check(z.describe("What the agent does: its instructions.")),
  sourceTasks: z.array(z.string()).check(z.describe("The tasks of the file that the agent covers, verbatim.")),
  userContextFields: z.array(UserContextField).check(z.describe("Values that the agent needs from a user.")),
});
export type AgentDraft = z.output<typeof AgentDraft>;

export const ExtractionResult = z.object({
  agents: z.array(AgentDraft).check(z.describe("At most 50.")),
  summary: z.string().check(z.describe("What the file is about, in a few sentences.")),
  skipped: z
    .array(
      z.object({
        originalText: z.string().check(z.describe("The task as it is in the file.")),
        reason: z.string().check(z.describe("Why no agent covers it.")),
      }),
    )
    .check(z.describe("Tasks of the file that no agent covers.")),
  totalTasksParsed: z
    .optional(z.number())
    .check(
      z.describe("Tasks in the whole file, those of dropped agents included. Absent when the model returns no count."),
    ),
  memory: z.object({ sourceId: SourceId }).check(z.describe("The file, as a knowledge source.")),
});
export type ExtractionResult = z.output<typeof ExtractionResult>;
