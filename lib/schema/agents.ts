// Wire shapes of agents. An agent can be created from an extracted draft: the draft's prompt becomes `instructions`,
// and its context fields become `input`.
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
  instructions: NonEmptyText.check(z.describe("What the agent does, such as the prompt of a draft.")),
  input: optional(
    z
      .object({ userContextFields: listOf(UserContextField, 50) }, mustBeObject)
      .check(z.describe("Values that the agent needs from a user.")),
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
