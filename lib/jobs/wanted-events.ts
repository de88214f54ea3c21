// Which events the workspace of the call wants, as its settings say.
import { currentCall, type Interest } from "../call.ts";
import type { EventType } from "../schema/events.ts";
import { notifiedEvent } from "../schema/interest.ts";

/** An entry in the list of wanted event types that stands for all types. */
export const everyEvent = "*";

/** Whether a webhook endpoint or a message of the workspace of the call wants events of this type. */
export async function isWanted(type: EventType): Promise<boolean> {
  const wants = await interest();
  return wants.isSent(type) || wants.isRecorded(type);
}

/** Whether the activity log of the workspace of the call records events of this type. */
export async function isRecorded(type: EventType): Promise<boolean> {
  return (await interest()).isRecorded(type);
}

/** `version`: that of the endpoints which want these types. A worker with an older list of them reads it again. */
export async function interest() {
  const wants: Partial<Interest> = (await currentCall()?.webhooks?.()) ?? {};
  const { wantedEvents = [], emailEvents = [], slackEvents = [], activityEvents = [], version } = wants;
  const inMessages = [...emailEvents, ...slackEvents].filter((type) => type !== notifiedEvent);
  const sent = new Set<string>([...wantedEvents, ...inMessages]);
  const recorded = new Set<string>(activityEvents);
  return {
    isSent: (type: EventType) => sent.has(type) || sent.has(everyEvent),
    isRecorded: (type: EventType) => recorded.has(type),
    ...(version !== undefined && { version }),
  };
}
