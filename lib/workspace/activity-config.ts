// The activity-log configuration: merges its triggers, and builds the reply.
import { invalidField } from "../errors.ts";
import { recordedTypes } from "../schema/activity-events.ts";
import { type ActivityTriggers, areTooMany, tooManyTriggers } from "../schema/triggers.ts";
import type { ActivitySetting } from "../store/setting.ts";

const triggersOf = ({ triggersJson }: ActivitySetting): ActivityTriggers => JSON.parse(triggersJson ?? "{}");

/** Returns the stored triggers with the sent ones merged in, as JSON. Throws INVALID_ARGUMENT if there are too many. */
export function mergedTriggers(stored: ActivitySetting, sent: ActivityTriggers): string {
  const known = triggersOf(stored);
  const groups = Object.entries(sent).map(([group, actions]) => [group, { ...known[group], ...actions }] as const);
  const triggers = { ...known, ...Object.fromEntries(groups) };
  const count = Object.values(triggers).reduce((sum, actions) => sum + 1 + Object.keys(actions).length, 0);
  if (areTooMany(count)) throw invalidField(["activityServiceConfig", "triggers"], tooManyTriggers);
  return JSON.stringify(triggers);
}

/** The event types that the log records. */
export const recordedBy = (setting: ActivitySetting) => ({
  activityEvents: setting.isEnabled ? recordedTypes(triggersOf(setting)) : [],
});

/** The reply of the get and the update endpoint, without fields that were never set. */
export function activityConfigOf(setting: ActivitySetting) {
  const { isEnabled, immutable, triggersJson } = setting;
  return {
    activityServiceConfig: {
      isEnabled,
      ...(immutable !== undefined && { immutable }),
      ...(triggersJson !== undefined && { triggers: triggersOf(setting) }),
    },
  };
}
