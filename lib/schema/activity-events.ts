// The triggers of the activity log name each event type by group and action: `comment.add` has the trigger
// `comment.added`.
import { type EventType, eventTypes } from "./events.ts";

/** Events of this group belong to no organization, so the log has none. */
const unlogged = "webhook_endpoint";

/** The past form of a verb: `user_deleted` for `user_delete`. `done` and `failed` stay. */
const happened = (verb: string) => (/(?:ed|done)$/.test(verb) ? verb : verb.replace(/e?$/, "ed"));

/** Undefined: the log never has such an event. */
export function triggerOf(type: EventType): readonly [group: string, action: string] | undefined {
  const [group = "", verb = ""] = type.split(".");
  return group === unlogged ? undefined : [group, happened(verb)];
}

/** The actions of each group that has triggers. */
export const triggerNames: ReadonlyMap<string, readonly string[]> = actionsByGroup();

function actionsByGroup(): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [group, action] of eventTypes.map(triggerOf).filter((name) => name !== undefined))
    groups.set(group, [...(groups.get(group) ?? []), action]);
  return groups;
}

export type ActivityFlags = Record<string, Record<string, boolean>>;

/** The event types that an enabled log records: all whose trigger is not `false`. */
export const recordedTypes = (triggers: ActivityFlags): EventType[] =>
  eventTypes.filter((type) => {
    const [group, action] = triggerOf(type) ?? [];
    return group !== undefined && action !== undefined && triggers[group]?.[action] !== false;
  });
