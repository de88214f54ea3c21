// Who wants which events of a workspace.
export interface Interest {
  /** The types that any enabled webhook endpoint wants; `everyEvent` stands for all. */
  wantedEvents: string[];
  /** Counts the changes of webhook endpoints. */
  version: number;
  /** The types that cause messages by e-mail, and by Slack. */
  emailEvents: string[];
  slackEvents: string[];
  /** The types that the activity log records. */
  activityEvents: string[];
}
