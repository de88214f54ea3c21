// The metrics of the service. CloudWatch extracts them from the log lines of calls and jobs, so they cost no request.
// Their only dimension is the service: a metric for each endpoint would cost $61 a month. `lib/log.ts` writes them.

/** Values of one log line. A line omits values that are 0. */
export interface Metrics {
  calls: number;
  /** Replies with a 5xx status that the contract does not state. */
  failures: number;
  /** Replies with a 5xx status that the contract states for an outcome. */
  expectedFailures: number;
  /** Replies with status 429: the workspace exceeded one of its limits. */
  throttled: number;
  /** Calls without valid credentials. */
  refusedCredentials: number;
  /** Duration of a call, without the start of its container. */
  durationMs: number;
  /** Containers whose first call or job this is. */
  coldStarts: number;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  /** Runs of jobs. */
  jobRuns: number;
  /** Jobs that will not run again by themselves. */
  failedJobs: number;
  /** Runs whose end was not recorded. Their messages are delivered again. */
  unrecordedRuns: number;
  /** How long a job was due before its run began. */
  queueAgeSeconds: number;
  /** How late an endpoint's oldest due delivery is when a run ends, unless the endpoint's rate limit ended the run. */
  webhookBacklogSeconds: number;
  /** How late a workspace's oldest due message is when a run of its queue begins, unless its provider does not work. */
  messageBacklogSeconds: number;
  /** E-mails and Slack messages that a provider has accepted. */
  messagesSent: number;
  /** Messages that are not tried again: refused by a provider, impossible to send, or tried for a day. */
  messagesFailed: number;
  /** Attempts that SES refused for a reason that only the operator can end, such as a suspended account. */
  senderRefusals: number;
  /** Permanent bounces and complaints. Each has ended mail to an address. */
  endedAddresses: number;
  /** Requests that send live messages. */
  liveRequests: number;
  /** Those of them that failed, and tickets that could not be checked. */
  liveFailures: number;
  /** Attempts that AWS refused as too many, also if the request succeeded later. */
  dynamodbThrottles: number;
  kmsThrottles: number;
}
