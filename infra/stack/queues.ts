import { Duration } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { EventWorker, QueueWorker } from "../../lib/jobs/worker.ts";

export interface JobQueue {
  queue: Queue;
  deadLetters: Queue;
}

/** Keys are job kinds, and names of queues of events. */
export type JobQueues = ReadonlyMap<string, JobQueue>;

/** After this many receives, a message becomes a dead letter. With a worker timeout of 60 s, this takes about an hour. */
const receiveCountMax = 10;

export function addQueues(scope: Construct, workers: readonly (QueueWorker | EventWorker)[]): JobQueues {
  return new Map(
    workers.map((worker) => {
      const name = worker.kind === "queue" ? worker.jobs : worker.queue;
      return [name, addQueue(scope, name, worker)];
    }),
  );
}

// Standard queues: a MessageGroupId makes them fair. FIFO would also process a group in order, one message at a time.
function addQueue(scope: Construct, name: string, { timeoutSeconds }: { timeoutSeconds: number }): JobQueue {
  const security = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
  // 14 days is the maximum of SQS. It gives an operator time to react to the alarm.
  const deadLetters = new Queue(scope, `${name}-dead-letters`, { ...security, retentionPeriod: Duration.days(14) });
  const queue = new Queue(scope, `${name}-queue`, {
    ...security,
    // Six times the worker's timeout, as AWS recommends. While Lambda throttles, its poller keeps a batch and retries.
    // With a shorter timeout the message would become visible again, and each receive counts towards the maximum. A job
    // whose worker dies does not wait this long: its lease ends 15 s after the timeout, and the sweeper sends it again.
    visibilityTimeout: Duration.seconds(6 * timeoutSeconds),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: receiveCountMax },
  });
  return { queue, deadLetters };
}
