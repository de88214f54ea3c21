// When each alarm fires, and why at that value. Each has a heading of its name in infra/RUNBOOK.md.

export interface AlarmRow {
  /** What the operator reads first. */
  says: string;
  /** The alarm counts periods whose value is at least the threshold; with `isBelow`, those below it. */
  threshold: number;
  isBelow?: true;
  /** For the table of the runbook, such as `jobs`. */
  unit: string;
  periodMinutes: number;
  /** Periods in a row. */
  periods: number;
  /** Why this threshold for this time. */
  reason: string;
  /**
   * Only a fault of the service itself raises it, within 20 minutes. So the pipeline goes back from a release that does. The
   * others also tell of the account, of receivers, of an attack, or of a message that the release before had received.
   */
  goesBack?: true;
}

export const alarmTable = {
  "api-errors": {
    says: "At least 2 % of the API's responses are unexpected server errors (5xx).",
    threshold: 2,
    unit: "% and 3 errors",
    periodMinutes: 5,
    periods: 2,
    reason: "A deployment or a failover of AWS costs a few calls. Of a few calls, one failure would be over 2 %.",
    goesBack: true,
  },
  "failed-jobs": {
    says: "A job has failed ten times in a row and does not run again by itself.",
    threshold: 1,
    unit: "jobs",
    periodMinutes: 1,
    periods: 1,
    reason: "The ten attempts of a job take a quarter of an hour, so what passes by itself has passed.",
    goesBack: true,
  },
  "dead-letters": {
    says: "A message is in the dead-letter queue.",
    threshold: 1,
    unit: "messages",
    periodMinutes: 1,
    periods: 1,
    reason: "It was received ten times, which takes an hour, and no run of it was recorded.",
  },
  "queue-age": {
    says: "Messages wait too long in the queue.",
    threshold: 1_200,
    unit: "seconds",
    periodMinutes: 5,
    periods: 2,
    reason: "A message may have a delay of 900 s, which can count. A run and its repetition take less than 300 s.",
  },
  "webhook-backlog": {
    says: "Webhook deliveries are sent long after they are due.",
    threshold: 900,
    unit: "seconds",
    periodMinutes: 5,
    periods: 3,
    reason: "A receiver that was slow for a while is caught up with in minutes, by 50 attempts at once.",
  },
  sweeper: {
    says: "No run of the sweeper has succeeded.",
    threshold: 1,
    isBelow: true,
    unit: "runs",
    periodMinutes: 5,
    periods: 2,
    reason: "It runs every minute. Ten missed runs are no chance, and a lost message then waits ten minutes longer.",
    goesBack: true,
  },
  "api-throttles": {
    says: "API Gateway refuses requests: the API's own limit is reached.",
    threshold: 60,
    unit: "requests",
    periodMinutes: 5,
    periods: 2,
    reason: "A burst above the limit lasts seconds, and clients repeat it. One a second for ten minutes does not end.",
  },
  "lambda-throttles": {
    says: "Lambda refuses invocations: the account's concurrency is used up.",
    threshold: 10,
    unit: "invocations",
    periodMinutes: 5,
    periods: 2,
    reason: "Each is a 503 for a client, or a job that waits. A few at a sudden peak are Lambda adding containers.",
  },
  "dynamodb-throttles": {
    says: "DynamoDB refuses requests of the service as too many.",
    threshold: 100,
    unit: "requests",
    periodMinutes: 5,
    periods: 3,
    reason:
      "A table on demand grows within minutes, and requests are repeated. After 15 minutes, one partition is hot.",
  },
  "kms-throttles": {
    says: "KMS refuses requests of the service as too many.",
    threshold: 20,
    unit: "requests",
    periodMinutes: 5,
    periods: 2,
    reason: "Its quota starts again each second and is shared by the account. One peak is not a lasting shortage.",
  },
  recursion: {
    says: "Lambda has stopped a worker that sends to its own queue.",
    threshold: 1,
    unit: "messages",
    periodMinutes: 5,
    periods: 1,
    reason: "The template allows workers to do so. A single one means that a function lost this setting.",
    goesBack: true,
  },
  "refused-credentials": {
    says: "Many calls have no valid credentials.",
    threshold: 300,
    unit: "calls",
    periodMinutes: 5,
    periods: 2,
    reason: "One client with a revoked token calls a few times a minute. One refusal a second is a leak or an attack.",
  },
} as const satisfies Record<string, AlarmRow>;

export type AlarmName = keyof typeof alarmTable;

/** Budgets sends these itself, since it knows the spending only a few times a day. In % of `monthlyBudgetUsd`. */
export const spendingAlarm = {
  actual: 80,
  forecast: 100,
  reason: "At 80 % there is time to act before the end of the money, and the forecast shows a sudden rise earlier.",
} as const;
