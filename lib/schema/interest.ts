// Which event types each receiver of a workspace wants.
import { type EventType, eventTypes } from "./events.ts";

/** Messages of a notification are made with its inbox entries, not from its event. */
export const notifiedEvent: EventType = "notification.add";

/** The types that an enabled channel sends: types whose trigger is true, and notifications unless theirs is false. */
export const sentTypes = (triggers: Readonly<Record<string, boolean>>): EventType[] =>
  eventTypes.filter((type) => triggers[type] ?? type === notifiedEvent);

/** How long messages wait for more events, unless the workspace has set another time. */
export const defaultBatchSeconds = 120;

/** An entry in the list of wanted event types that stands for all types. */
export const everyEvent = "*";

/** Triggers that the first enabling of e-mail or Slack switches on (DECISIONS.md#first-enabling-of-email). */
export const triggersSeeded = {
  "comment_annotation.add": true,
  "comment.add": true,
  "comment_annotation.status_change": true,
  "comment_annotation.assign": true,
  "comment_annotation.priority_change": true,
  "huddle.create": true,
  "huddle.join": true,
};
