// The activity-log configuration: computes the changes of an update, and builds the reply.

import { currentCall, replyAfter } from "../call.ts";
import { ApiError } from "../errors.ts";
import { recordedTypes } from "../schema/activity-events.ts";
import type { ActivityTriggers } from "../schema/triggers.ts";
import type { ActivityChange, ActivitySetting } from "../store/setting.ts";

const triggersOf = ({ triggersJson }: ActivitySetting): ActivityTriggers => JSON.parse(triggersJson ?? "{}");

interface Sent {
  isEnabled?: boolean | undefined;
  immutable?: boolean | undefined;
  triggers?: ActivityTriggers | undefined;
}

/** Returns the fields to change. Throws FAILED_PRECONDITION for one that weakens an immutable log. */
export function activityChanges(stored: ActivitySetting, { isEnabled, immutable, triggers }: Sent) {
  const known = triggersOf(stored);
  const groups = Object.entries(triggers ?? {}).map(([group, sent]) => [group, { ...known[group], ...sent }] as const);
  const set = {
    ...(isEnabled !== undefined && { isEnabled }),
    ...(immutable !== undefined && { immutable }),
    ...(triggers && { triggersJson: JSON.stringify({ ...known, ...Object.fromEntries(groups) }) }),
  };
  const next = { ...stored, ...set };
  if (isWeaker(stored, next)) requireMutable(stored);
  const isChanged = JSON.stringify(shownOf(next)) !== JSON.stringify(shownOf(stored));
  return { ...set, ...(isChanged && noted(next)) };
}

/** The log would record less, or could be changed. */
function isWeaker(before: ActivitySetting, after: ActivitySetting): boolean {
  const { activityEvents: recorded } = recordedBy(after);
  const isMuted = recordedBy(before).activityEvents.some((type) => !recorded.includes(type));
  return after.immutable === false || isMuted || (before.isEnabled && !after.isEnabled);
}

/** A chain that has missed more than these shows it: its records have the numbers of the changes. */
const changesMax = 20;

export const changesOf = ({ changesJson }: ActivitySetting): ActivityChange[] => JSON.parse(changesJson ?? "[]");

/**
 * Adds a change to the list of changes: from now on, the setting is `after`. The reply of the running call waits, so
 * that every later call has a later time.
 */
export function noted(after: ActivitySetting, isUnlock?: true): Pick<ActivitySetting, "changesJson"> {
  const known = changesOf(after);
  const number = (known.at(-1)?.number ?? 0) + 1;
  const authTokenId = currentCall()?.authTokenId;
  const change: ActivityChange = {
    number,
    at: new Date().toISOString(),
    config: shownOf(after),
    isUnlock,
    authTokenId,
  };
  replyAfter(change.at);
  return { changesJson: JSON.stringify([...known, change].slice(-changesMax)) };
}

/** The event types that the log records. */
export const recordedBy = (setting: ActivitySetting) => ({
  activityEvents: setting.isEnabled ? recordedTypes(triggersOf(setting)) : [],
});

/** The reply of the get and the update endpoint, without fields that were never set. */
export const activityConfigOf = (setting: ActivitySetting) => ({ activityServiceConfig: shownOf(setting) });

function shownOf(setting: ActivitySetting) {
  const { isEnabled, immutable, triggersJson } = setting;
  return {
    isEnabled,
    ...(immutable !== undefined && { immutable }),
    ...(triggersJson !== undefined && { triggers: triggersOf(setting) }),
  };
}

/** Throws FAILED_PRECONDITION while the log is off. */
export function requireEnabled({ isEnabled }: ActivitySetting): void {
  if (isEnabled) return;
  throw new ApiError(
    "FAILED_PRECONDITION",
    "The activity log is off. Set activityServiceConfig.isEnabled with /v2/workspace/activityconfig/update.",
  );
}

/** Throws FAILED_PRECONDITION while the log is immutable. */
export function requireMutable({ immutable }: ActivitySetting): void {
  if (!immutable) return;
  throw new ApiError(
    "FAILED_PRECONDITION",
    "The activity log is immutable: activityServiceConfig.immutable is true. Only an operator can unset it, with npm run admin -- activities unlock.",
  );
}
