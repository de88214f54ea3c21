// Triggers: flags by event type, or by event group and action.
import * as z from "zod/mini";
import { mustBeFlag, mustBeObject } from "./messages.ts";

/** Event types, groups and actions are dot-separated words. */
const eventName = /^(?=.{1,128}$)[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;
/** Of one configuration, over all updates: so its item stays below the size limit. */
const triggersMax = 500;

type Tree = { [name: string]: boolean | Tree };

interface Problem {
  path: string[];
  message: string;
}

/** The first problem only, since a million wrong entries fit a body. */
function firstProblem(triggers: Record<string, unknown>, levels: number, path: string[] = []): Problem | undefined {
  for (const name of Object.keys(triggers)) {
    const value = triggers[name];
    const at = [...path, name.slice(0, 128)];
    if (!eventName.test(name)) return { path: at, message: "Must be named by words of letters, digits, _ and -." };
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    if (levels > 1 && !isGroup) return { path: at, message: "Must be an object of actions to true or false." };
    if (levels === 1 && typeof value !== "boolean") return { path: at, message: mustBeFlag };
    const inner = isGroup ? firstProblem(value as Record<string, unknown>, levels - 1, at) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

/**
 * Flags under `levels` levels of names. A record of unknown values, since a typed one lists an issue for every entry.
 */
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

/** Email triggers: event type to flag. */
export const EmailTriggers = flagsBelow<Record<string, boolean>>(1, "Event types to true or false; merged key by key.");

/** Activity-log triggers: event group to action to flag. */
export const ActivityTriggers = flagsBelow<Record<string, Record<string, boolean>>>(
  2,
  "Event groups to actions to true or false; merged key by key.",
);
export type ActivityTriggers = z.output<typeof ActivityTriggers>;

/** Whether a merged configuration has too many triggers. */
export const areTooMany = (count: number) => count > triggersMax;
export const tooManyTriggers = `Must be at most ${triggersMax}, together with the stored ones.`;
