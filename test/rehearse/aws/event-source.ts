// Lambda's event source mapping: receives a batch from a queue, invokes the function, and deletes what did not fail.
import { loopsMax, traceOfInvocation } from "./chain.ts";
import { type Message, type Queues, recordOf } from "./queues.ts";
import type { Mapping } from "./template.ts";

interface Outcome {
  result?: unknown;
  error?: unknown;
}

interface Delivered<Run> {
  /** Undefined when there was nothing to invoke the function with. */
  run?: Run;
  /** The longest chain of the batch: how often its messages have invoked the function. */
  loops: number;
  /** Messages whose chain Lambda has ended. They are dead letters. */
  stopped: Message[];
}

interface Target<Run> {
  /** The workspace whose messages are received. */
  group: string;
  /** Whether the function may invoke itself through a queue without end. */
  allowsRecursion: boolean;
  invoke(event: object, trace: string): Promise<Run>;
}

export async function deliver<Run extends Outcome>(
  queues: Queues,
  mapping: Mapping,
  { group, allowsRecursion, invoke }: Target<Run>,
): Promise<Delivered<Run>> {
  const received = queues.receive(mapping.kind, group, mapping.batchSize);
  const chains = received.map((message) => ({ message, ...traceOfInvocation(mapping.functionArn, message.trace) }));
  const loops = Math.max(0, ...chains.map((each) => each.loops));
  const isStopped = (each: { loops: number }) => each.loops > loopsMax && !allowsRecursion;
  const stopped = chains.filter(isStopped).map(({ message }) => message);
  for (const message of stopped) queues.bury(message);
  const batch = chains.filter((each) => !isStopped(each));
  const longest = batch.toSorted((one, other) => other.loops - one.loops)[0];
  if (!longest) return { loops, stopped };
  const Records = batch.map(({ message }) => recordOf(message, mapping.queueArn));
  const run = await invoke({ Records }, longest.trace);
  const failed = failedOf(
    run,
    mapping,
    batch.map(({ message }) => message.id),
  );
  for (const { message } of batch) if (!failed.has(message.id)) queues.remove(message);
  return { run, loops, stopped };
}

/** The messages that stay in the queue: they are received again after the visibility timeout. */
function failedOf({ result, error }: Outcome, { reportsFailures }: Mapping, ids: string[]): Set<string> {
  if (error) return new Set(ids);
  if (!reportsFailures || result === undefined || result === null) return new Set();
  const { batchItemFailures = [] } = result as { batchItemFailures?: { itemIdentifier?: string }[] | null };
  const failed = (batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier ?? "");
  // Lambda takes a reply that names no message of the batch as a failure of all.
  return failed.every((id) => ids.includes(id)) ? new Set(failed) : new Set(ids);
}
