// What the jobs of each kind do.
export const jobKinds: Record<string, string> = {
  activity: "writes events into the activity log of an organization",
  draft: "has a model group the tasks of a file into draft agents",
  drain: "sends the deliveries of a webhook endpoint",
  fanout: "makes deliveries, one for each endpoint that wants an event",
  ingest: "reads an uploaded file",
  merge: "merges the updates of an editor into its content",
  message: "sends e-mails and Slack messages that are due",
  migrate: "moves a document to its new id",
  notify: "writes a notification into the inbox of each recipient",
  purge: "removes deleted data",
};
