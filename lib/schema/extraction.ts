// What an extraction answers with.
import * as z from "zod/mini";

const UserContextField = z.object({
  id: z.string(),
  title: z.string(),
  type: z.string(),
  example: z.optional(z.string()),
});

export const AgentDraft = z.object({
  name: z.string(),
  description: z.string().check(z.describe("One sentence.")),
  prompt: z.string().check(z.describe("What the agent is to do: its instructions.")),
  sourceTasks: z.array(z.string()).check(z.describe("The file's tasks that it is made from, to the letter.")),
  userContextFields: z.array(UserContextField).check(z.describe("What a user must tell the agent before it can work.")),
});
export type AgentDraft = z.output<typeof AgentDraft>;

export const ExtractionResult = z.object({
  agents: z.array(AgentDraft).check(z.describe("At most 50.")),
  summary: z.string(),
  skipped: z.array(z.object({ originalText: z.string(), reason: z.string() })),
  totalTasksParsed: z
    .optional(z.number())
    .check(z.describe("Of the whole file, dropped agents included; absent where the model does not tell.")),
  memory: z.object({ sourceId: z.string() }).check(z.describe("The file, as a knowledge source of the workspace.")),
});
export type ExtractionResult = z.output<typeof ExtractionResult>;
