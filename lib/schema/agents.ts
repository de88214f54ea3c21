// Wire shapes of agents. An agent can be made from an extracted draft: the contract maps the draft's prompt to
// `instructions`, and its context fields to `input`.
import * as z from "zod/mini";
import { mustBeObject } from "./messages.ts";
import { listOf, NonEmptyText, optional, Text } from "./primitives.ts";

const UserContextField = z.object(
  { id: NonEmptyText, title: NonEmptyText, type: NonEmptyText, example: optional(Text) },
  mustBeObject,
);

export const AgentFields = {
  name: NonEmptyText,
  description: optional(Text),
  instructions: NonEmptyText.check(z.describe("What the agent does: a draft's prompt.")),
  input: optional(
    z
      .object({ userContextFields: listOf(UserContextField, 50) }, mustBeObject)
      .check(z.describe("What a user must tell the agent before it can work.")),
  ),
};

export const Agent = z.object({
  agentId: z.string(),
  name: z.string(),
  description: z.optional(z.string()),
  instructions: z.string(),
  input: z.optional(
    z.object({
      userContextFields: z.array(
        z.object({ id: z.string(), title: z.string(), type: z.string(), example: z.optional(z.string()) }),
      ),
    }),
  ),
  createdAt: z.string(),
});
export type Agent = z.output<typeof Agent>;
