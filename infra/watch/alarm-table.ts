// When each alarm fires, and why at that value. Each has a heading of its name in infra/RUNBOOK.md.

export interface AlarmRow {
  /** The first sentence of the alarm's description. */
  says: string;
  /** The alarm counts periods whose value is at least the threshold; with `isBelow`, those below it. */
  threshold: number;
  isBelow?: true;
  /** For the table of the runbook, such as `jobs`. */
  unit: string;
  periodMinutes: number;
  /** Periods in a row. */
  periods: number;
  /**
   * Only a fault of the service itself raises it, within 20 minutes. So the pipeline goes back from a release that raises
   * it. The other alarms can have other causes: the account, receivers, an attack, or a message of the former release.
   */
  goesBack?: true;
}

export const alarmTable = {
  "api-errors": {
    says: "At least 2 % of the API's responses are unexpected server errors (5xx).",
    // A deployment or a failover of AWS fails a few calls. With few calls, one failure would exceed 2 %.
    threshold: 2,
    unit: "% and 3 errors",
    periodMinutes: 5,
    periods: 2,
    goesBack: true,
  },
  "failed-jobs": {
    says: "A job has failed ten times in a row and does not run again by itself.",
    // The ten attempts of a job take a quarter of an hour. A fault that ends by itself has ended by then.
    threshold: 1,
    unit: "jobs",
    periodMinutes: 1,
    periods: 1,
    goesBack: true,
  },
  "dead-letters": {
    says: "A message is in the dead-letter queue.",
    // In an hour, the message was received ten times, and the end of no run was recorded.
    threshold: 1,
    unit: "messages",
    periodMinutes: 1,
    periods: 1,
  },
  "queue-age": {
    says: "Messages wait too long in the queue.",
    // The age can include a message's delay of up to 900 s. A run and its repetition take less than 300 s.
    threshold: 1_200,
    unit: "seconds",
    periodMinutes: 5,
    periods: 2,
  },
  "webhook-backlog": {
    says: "Webhook deliveries are sent long after they are due.",
    // After a receiver was slow for a while, 50 attempts at once send its deliveries within minutes.
    threshold: 900,
    unit: "seconds",
    periodMinutes: 5,
    periods: 3,
  },
  "message-backlog": {
    says: "E-mails or Slack messages are sent long after they are due.",
    // After a provider was down for a while, the four queues of a channel send its messages within half an hour, each
    // queue one after the other.
    threshold: 900,
    unit: "seconds",
    periodMinutes: 5,
    periods: 6,
  },
  "sender-refusals": {
    says: "SES refuses mail of the deployment until the operator acts.",
    // None of the counted reasons passes by itself. A paused channel tries one mail in at most 15 minutes.
    threshold: 1,
    unit: "attempts",
    periodMinutes: 30,
    periods: 1,
  },
  "bounces-and-complaints": {
    says: "Too much mail of the SES account bounces, or too many readers complain.",
    // From 5 % or 0.1 % on, SES reviews the account, and may suspend it. At 80 %, there is still time to act.
    threshold: 80,
    unit: "% of 5 % bounces or of 0.1 % complaints",
    periodMinutes: 60,
    periods: 1,
  },
  "live-failures": {
    says: "Live messages do not reach the pages of users.",
    // A lost message makes a page read again. So many in fifteen minutes mean that the engine refuses or is down.
    threshold: 100,
    unit: "requests",
    periodMinutes: 5,
    periods: 3,
  },
  sweeper: {
    says: "No run of the sweeper has succeeded.",
    // It runs every minute. Ten missed runs are not by chance, and delay each lost message by ten minutes.
    threshold: 1,
    isBelow: true,
    unit: "runs",
    periodMinutes: 5,
    periods: 2,
    goesBack: true,
  },
  "api-throttles": {
    says: "API Gateway refuses requests: the API's own limit is reached.",
    // A burst above the limit lasts seconds, and clients repeat its calls. Refusals for ten minutes are no burst.
    threshold: 60,
    unit: "requests",
    periodMinutes: 5,
    periods: 2,
  },
  "lambda-throttles": {
    says: "Lambda refuses invocations: the account's concurrency is used up.",
    // Each is a 503 for a client, or a job that waits. At a sudden peak, Lambda refuses a few while it adds containers.
    threshold: 10,
    unit: "invocations",
    periodMinutes: 5,
    periods: 2,
  },
  "dynamodb-throttles": {
    says: "DynamoDB refuses requests of the service as too many.",
    // An on-demand table adapts within minutes, and requests are repeated. After 15 minutes, one partition is hot.
    threshold: 100,
    unit: "requests",
    periodMinutes: 5,
    periods: 3,
  },
  "kms-throttles": {
    says: "KMS refuses requests of the service as too many.",
    // The quota counts the account's requests in each second. One peak is not a lasting shortage.
    threshold: 20,
    unit: "requests",
    periodMinutes: 5,
    periods: 2,
  },
  recursion: {
    says: "Lambda has stopped a worker that sends to its own queue.",
    // The template allows this for workers. One stopped message means that a function lost the setting.
    threshold: 1,
    unit: "messages",
    periodMinutes: 5,
    periods: 1,
    goesBack: true,
  },
  "refused-credentials": {
    says: "Many calls have no valid credentials.",
    // One client with a revoked token calls a few times a minute. One refusal a second is a leak or an attack.
    threshold: 300,
    unit: "calls",
    periodMinutes: 5,
    periods: 2,
  },
} as const satisfies Record<string, AlarmRow>;

export type AlarmName = keyof typeof alarmTable;

/**
 * In % of `monthlyBudgetUsd`. AWS Budgets sends them itself, because it knows the spending only a few times a day. At 80 %,
 * there is still time to act. The forecast shows a sudden rise earlier.
 */
export const spendingAlarm = { actual: 80, forecast: 100 } as const;
