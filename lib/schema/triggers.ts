// Triggers: flags by event type, or by event group and action. A trigger without effect is refused.

import * as z from "zod/mini";
import { beginning } from "../beginning.ts";
import { triggerNames } from "./activity-events.ts";
import { eventTypes } from "./events.ts";
import { triggersSeeded } from "./interest.ts";
import { mustBeFlag, mustBeObject } from "./messages.ts";
import { nearest } from "./nearest.ts";

/** Event types, groups and actions are dot-separated words. */
const eventName = /^(?=.{1,128}$)[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;
const nameCharactersMax = 128;
/** Most triggers of a configuration after all updates. The limit keeps its item below DynamoDB's size limit. */
const triggersMax = 500;

interface Problem {
  path: string[];
  message: string;
}

/** The first problem only: a body has room for a million wrong entries. */
type Check = (triggers: Record<string, unknown>) => Problem | undefined;

function flags<Flags extends object>(check: Check, description: string, values: object): z.ZodMiniType<Flags, Flags> {
  const Flags = z
    .record(z.string(), z.unknown(), mustBeObject)
    .check(z.meta({ description, additionalProperties: values }))
    .check((context) => {
      const problem = check(context.value);
      if (problem) context.issues.push({ code: "custom", input: context.value, ...problem });
    });
  return Flags as unknown as z.ZodMiniType<Flags, Flags>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The problem of a name that no event has: the nearest one that an event has, or all. */
function unknown(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return `Would have no effect. ${meant === undefined ? `Must be one of ${known.join(", ")}.` : `Did you mean ${meant}?`}`;
}

const mailedTypes = [...new Set([...eventTypes, ...Object.keys(triggersSeeded)])];

/**
 * The specification does not list all event types. So an unknown type counts as a mistake only if it is near a known
 * one.
 */
export function mistypedEvent(type: string): string | undefined {
  const meant = mailedTypes.includes(type) ? undefined : nearest(type, mailedTypes);
  return meant && `Would have no effect. Did you mean ${meant}?`;
}

function firstOfEvents(triggers: Record<string, unknown>): Problem | undefined {
  const names = Object.keys(triggers);
  if (names.length > triggersMax) return { path: [], message: `Must have at most ${triggersMax} entries.` };
  for (const name of names) {
    const path = [beginning(name, nameCharactersMax)];
    if (!eventName.test(name))
      return { path, message: "The name must be words of letters, digits, _ and -, joined by dots." };
    if (typeof triggers[name] !== "boolean") return { path, message: mustBeFlag };
    const mistyped = mistypedEvent(name);
    if (mistyped !== undefined) return { path, message: mistyped };
  }
  return undefined;
}

function firstOfGroups(triggers: Record<string, unknown>): Problem | undefined {
  for (const group of Object.keys(triggers)) {
    const path = [beginning(group, nameCharactersMax)];
    const known = triggerNames.get(group);
    if (!known) return { path, message: unknown(group, [...triggerNames.keys()]) };
    const actions = triggers[group];
    if (!isObject(actions)) return { path, message: `Must be an object of actions, such as {"added": false}.` };
    for (const action of Object.keys(actions)) {
      const at = [...path, beginning(action, nameCharactersMax)];
      if (!known.includes(action)) return { path: at, message: unknown(action, known) };
      if (typeof actions[action] !== "boolean") return { path: at, message: mustBeFlag };
    }
  }
  return undefined;
}

const flag = { type: "boolean" };

/** Triggers of e-mail and Slack: event type to flag. */
export const EventTriggers = flags<Record<string, boolean>>(
  firstOfEvents,
  "Maps event types, such as comment.add, to true or false. Merged with the stored triggers, key by key. A type that is " +
    "not there is not sent, but for notification.add, which only false ends. A mistyped type is refused.",
  flag,
);

/** Activity-log triggers: event group to action to flag. */
export const ActivityTriggers = flags<Record<string, Record<string, boolean>>>(
  firstOfGroups,
  "Maps event groups to actions, and these to true or false, such as {comment: {added: false}}. Merged with the stored " +
    "triggers, key by key. An event is recorded unless its trigger is false. The groups with their actions: " +
    `${[...triggerNames].map(([group, actions]) => `${group} (${actions.join(", ")})`).join("; ")}.`,
  { type: "object", additionalProperties: flag },
);
export type ActivityTriggers = z.output<typeof ActivityTriggers>;

/** Whether a merged configuration has too many triggers. */
export const areTooMany = (count: number) => count > triggersMax;
export const tooManyTriggers = `Must have at most ${triggersMax} entries, stored ones included.`;
