import { Duration } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { QueueWorker } from "../lib/jobs/worker.ts";

export interface JobQueue {
  queue: Queue;
  deadLetters: Queue;
}

/** By job kind. */
export type JobQueues = ReadonlyMap<string, JobQueue>;

/** Receipts before a message is a dead letter: an hour of attempts for a worker of 60 s. */
const receiveCountMax = 10;

export function addQueues(scope: Construct, workers: readonly QueueWorker[]): JobQueues {
  return new Map(workers.map((worker) => [worker.jobs, addQueue(scope, worker)]));
}

// Standard queues: a MessageGroupId makes them fair without the order, and the one-at-a-time, of FIFO.
function addQueue(scope: Construct, { jobs, timeoutSeconds }: QueueWorker): JobQueue {
  const safe = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
  // 14 days is what SQS keeps at most: time for somebody to read the alarm and look.
  const deadLetters = new Queue(scope, `${jobs}-dead-letters`, { ...safe, retentionPeriod: Duration.days(14) });
  const queue = new Queue(scope, `${jobs}-queue`, {
    ...safe,
    // Six timeouts, as AWS advises: while Lambda is throttled its poller holds a batch and tries again, and a shorter
    // time would count each of those waits as a receipt. Nothing waits for it when a worker dies: the job's lease
    // ends 15 s after the timeout, and the sweeper sends the job again.
    visibilityTimeout: Duration.seconds(6 * timeoutSeconds),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: receiveCountMax },
  });
  return { queue, deadLetters };
}
