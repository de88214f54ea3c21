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
  description: z.string(),
  prompt: z.string(),
  sourceTasks: z.array(z.string()),
  userContextFields: z.array(UserContextField),
});

export const ExtractionResult = z.object({
  agents: z.array(AgentDraft),
  summary: z.string(),
  skipped: z.array(z.object({ originalText: z.string(), reason: z.string() })),
  totalTasksParsed: z.optional(z.number()),
  memory: z.object({ sourceId: z.string() }),
});
export type ExtractionResult = z.output<typeof ExtractionResult>;
