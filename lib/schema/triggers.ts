// Triggers: flags by event type, or by event group and action.
import * as z from "zod/mini";
import { mustBeFlag, mustBeObject } from "./messages.ts";

/** Event types, groups and actions are dot-separated words. */
const eventName = /^(?=.{1,128}$)[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;
/** Most triggers of a configuration after all updates. The limit keeps its item below DynamoDB's size limit. */
const triggersMax = 500;

type Tree = { [name: string]: boolean | Tree };

interface Problem {
  path: string[];
  message: string;
}

/** Returns the first problem only: a body has room for a million wrong entries. */
function firstProblem(triggers: Record<string, unknown>, levels: number, path: string[] = []): Problem | undefined {
  for (const name of Object.keys(triggers)) {
    const value = triggers[name];
    const at = [...path, name.slice(0, 128)];
    if (!eventName.test(name))
      return { path: at, message: "The name must be words of letters, digits, _ and -, joined by dots." };
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    if (levels > 1 && !isGroup) return { path: at, message: `Must be an object of actions, such as {"added": false}.` };
    if (levels === 1 && typeof value !== "boolean") return { path: at, message: mustBeFlag };
    const inner = isGroup ? firstProblem(value as Record<string, unknown>, levels - 1, at) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

/** Flags under `levels` levels of names. A record of typed values would report every wrong entry. */
function flagsBelow<Flags extends Tree>(levels: number, description: string): z.ZodMiniType<Flags, Flags> {
  const Flags = z
    .record(z.string(), z.unknown(), mustBeObject)
    .check(z.meta({ description, additionalProperties: jsonSchemaOf(levels - 1) }))
    .check((context) => {
      const problem = firstProblem(context.value, levels);
      if (problem) context.issues.push({ code: "custom", input: context.value, ...problem });
    });
  return Flags as unknown as z.ZodMiniType<Flags, Flags>;
}

function jsonSchemaOf(levels: number): object {
  return levels === 0 ? { type: "boolean" } : { type: "object", additionalProperties: jsonSchemaOf(levels - 1) };
}

/** Triggers of e-mail and Slack: event type to flag. */
export const EventTriggers = flagsBelow<Record<string, boolean>>(
  1,
  "Maps event types, such as comment.add, to true or false. Merged with the stored triggers, key by key. A type that is " +
    "not there is not sent, but for notification.add, which only false ends.",
);

/** Activity-log triggers: event group to action to flag. */
export const ActivityTriggers = flagsBelow<Record<string, Record<string, boolean>>>(
  2,
  "Maps event groups to actions, and these to true or false, such as {comment: {added: false}}. Merged with the stored " +
    "triggers, key by key. An event is recorded unless its trigger is false.",
);
export type ActivityTriggers = z.output<typeof ActivityTriggers>;

/** Whether a merged configuration has too many triggers. */
export const areTooMany = (count: number) => count > triggersMax;
export const tooManyTriggers = `Must have at most ${triggersMax} entries, stored ones included.`;
