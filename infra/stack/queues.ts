import { Duration } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { EventWorker, QueueWorker } from "../../lib/jobs/worker.ts";
import { receiveCountMax, timeoutsHidden } from "./queue-rules.ts";

export interface JobQueue {
  queue: Queue;
  deadLetters: Queue;
}

/** Keys are job kinds, and names of queues of events. */
export type JobQueues = ReadonlyMap<string, JobQueue>;

export function addQueues(scope: Construct, workers: readonly (QueueWorker | EventWorker)[]): JobQueues {
  return new Map(
    workers.map((worker) => {
      const name = worker.kind === "queue" ? worker.jobs : worker.queue;
      return [name, addQueue(scope, name, worker)];
    }),
  );
}

// Standard queues: a MessageGroupId lets SQS prefer workspaces with few messages in work. FIFO would also process a group in order, one message at a time.
function addQueue(scope: Construct, name: string, { timeoutSeconds }: { timeoutSeconds: number }): JobQueue {
  const security = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
  // 14 days is the maximum of SQS. It gives an operator time to react to the alarm.
  const deadLetters = new Queue(scope, `${name}-dead-letters`, { ...security, retentionPeriod: Duration.days(14) });
  const queue = new Queue(scope, `${name}-queue`, {
    ...security,
    visibilityTimeout: Duration.seconds(timeoutsHidden * timeoutSeconds),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: receiveCountMax },
  });
  return { queue, deadLetters };
}
