// Who wants which events of a workspace.
import { type EventType, eventTypes } from "./events.ts";

/** Messages of a notification are made with its inbox entries, and not from its event. */
export const notifiedEvent: EventType = "notification.add";

/**
 * The types that a channel sends while it is on: those whose trigger is true, and notifications unless their trigger is
 * false.
 */
export const sentTypes = (triggers: Readonly<Record<string, boolean>>): EventType[] =>
  eventTypes.filter((type) => triggers[type] ?? type === notifiedEvent);

/** How long messages wait for more, unless the workspace has set another time. */
export const defaultBatchSeconds = 120;

/** An entry in the list of wanted event types that stands for all types. */
export const everyEvent = "*";
