// Who gets a message (DECISIONS.md#who-gets-messages). One rule for every event, channel and user.
import type { Level } from "../schema/notifications.ts";

interface Candidate {
  /** The user made the change. Notifications have no actor in this sense: who names himself wants the message. */
  isActor: boolean;
  /** Of a change: author, replier, mentioned or assigned user. Of a notification: named, or in a named group. */
  isInvolved: boolean;
  /** The user's level for the channel: the document's, else the organization's, else `ALL`. */
  level: Level;
  /** The user set this level. Without that, `ALL` is only the default. */
  isExplicit: boolean;
}

export function getsMessage({ isActor, isInvolved, level, isExplicit }: Candidate): boolean {
  if (isActor || level === "NONE") return false;
  return isInvolved || (level === "ALL" && isExplicit);
}
