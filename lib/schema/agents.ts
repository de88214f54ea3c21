// Wire shapes of agents. An agent can be created from an extracted draft: the draft's prompt becomes `instructions`,
// and its context fields become `input`.
import * as z from "zod/mini";
import { AgentId } from "./fields.ts";
import { mustBeList, mustBeObject, mustHaveAtMost } from "./messages.ts";
import { CreatedAt, IsoTime, NonEmptyText, optional, recordBytesMax, Text } from "./primitives.ts";
import { whenValid } from "./when-valid.ts";

export const UserContextField = z.object(
  {
    id: NonEmptyText.check(z.describe("The id of the value, for your application.")),
    title: NonEmptyText.check(z.describe("The label to show for the value.")),
    type: NonEmptyText.check(z.describe("The kind of the value, in your words, such as text.")),
    example: optional(Text).check(z.describe("An example of the value.")),
  },
  mustBeObject,
);

const Instructions = NonEmptyText.check(z.describe("What the agent does, such as the prompt of a draft."));
const fieldsMax = 50;
const Input = z
  .object(
    {
      userContextFields: z
        .array(UserContextField, mustBeList)
        .check(z.maxLength(fieldsMax, mustHaveAtMost(fieldsMax)), z.describe("The values, at most 50.")),
    },
    mustBeObject,
  )
  .check(z.describe("Values that the agent needs from a user."));

export const agentIsTooLarge = "An agent must have at most 262,144 bytes as JSON.";
export const fitsAgent = (fields: object) => Buffer.byteLength(JSON.stringify(fields)) <= recordBytesMax;
const mustFit = z.refine<object>(fitsAgent, { error: agentIsTooLarge, when: whenValid() });

const fields = {
  name: NonEmptyText.check(z.describe("The name of the agent.")),
  description: optional(Text).check(z.describe("What the agent is for, in a sentence.")),
  instructions: Instructions,
  input: optional(Input),
};

export const NewAgent = z.object(fields).check(mustFit);

const nullClears = "null clears it.";

/** The fields of an update. Omitted ones keep their values. */
export const AgentUpdate = z
  .object({
    agentId: AgentId,
    name: optional(NonEmptyText).check(z.describe("The new name.")),
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
  agentId: AgentId,
  ...fields,
  createdAt: CreatedAt,
  updatedAt: IsoTime.check(z.describe("When it was last changed.")),
});
export type Agent = z.output<typeof Agent>;
