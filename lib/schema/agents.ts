// Wire shapes of agents. An agent can be created from an extracted draft: the draft's prompt becomes `instructions`,
// and its context fields become `input`.
import * as z from "zod/mini";
import { mustBeObject } from "./messages.ts";
import { Id, IsoTime, listOf, NonEmptyText, optional, recordBytesMax, Text } from "./primitives.ts";
import { whenValid } from "./when-valid.ts";

const UserContextField = z.object(
  { id: NonEmptyText, title: NonEmptyText, type: NonEmptyText, example: optional(Text) },
  mustBeObject,
);

const Instructions = NonEmptyText.check(z.describe("What the agent does, such as the prompt of a draft."));
const Input = z
  .object({ userContextFields: listOf(UserContextField, 50) }, mustBeObject)
  .check(z.describe("Values that the agent needs from a user."));

export const agentIsTooLarge = "An agent must have at most 262,144 bytes as JSON.";
export const fitsAgent = (fields: object) => Buffer.byteLength(JSON.stringify(fields)) <= recordBytesMax;
const mustFit = z.refine<object>(fitsAgent, { error: agentIsTooLarge, when: whenValid() });

export const NewAgent = z
  .object({ name: NonEmptyText, description: optional(Text), instructions: Instructions, input: optional(Input) })
  .check(mustFit);

const nullClears = "null clears it.";

/** The fields of an update. Omitted ones keep their values. */
export const AgentUpdate = z
  .object({
    agentId: Id,
    name: optional(NonEmptyText),
    description: optional(z.nullable(Text)).check(z.describe(`What the agent is for, in a sentence. ${nullClears}`)),
    instructions: optional(Instructions),
    input: optional(z.nullable(Input)).check(z.describe(`Values that the agent needs from a user. ${nullClears}`)),
  })
  .check(
    mustFit,
    z.refine(({ agentId: _, ...fields }) => Object.values(fields).some((value) => value !== undefined), {
      error: "Give at least one field to change.",
      when: whenValid(),
    }),
  );

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
  createdAt: IsoTime,
  updatedAt: IsoTime,
});
export type Agent = z.output<typeof Agent>;
