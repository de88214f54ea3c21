/** What the jobs of a kind do. Of another kind, the page shows its name. */
export const jobKinds: Record<string, string> = {
  activity: "Writes events into the activity log of an organization",
  draft: "Has a model group the tasks of a file into draft agents",
  drain: "Sends the deliveries of a webhook endpoint",
  fanout: "Makes deliveries, one for each endpoint that wants an event",
  ingest: "Reads an uploaded file",
  merge: "Merges the updates of an editor into its content",
  message: "Sends e-mails and Slack messages that are due",
  migrate: "Moves a document to its new id",
  notify: "Writes a notification into the inbox of each recipient",
  purge: "Removes deleted data",
};
