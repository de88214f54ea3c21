// Faults at one call to AWS of an endpoint.
import { type AwsCommand, atAwsEdge } from "./edge.ts";

export const callFaults = [
  "the process dies before the call",
  "the process dies after the call",
  "the call is throttled",
  "the call meets a transaction",
  "the reply is lost, and the SDK sends the call again",
] as const;
export type CallFault = (typeof callFaults)[number];

type Call = () => Promise<unknown>;

/**
 * Injects the fault at call number `at`. Messages to queues are not sent. The returned function says whether the call was
 * reached. Applies until `vi.restoreAllMocks`.
 */
export function injectFault(fault: CallFault, at: number): () => boolean {
  let calls = 0;
  atAwsEdge(async (command, call) => {
    const made: Call = command.constructor.name === "SendMessageBatchCommand" ? async () => ({}) : call;
    const number = calls++;
    if (number === at) return outcomes[fault](command, made);
    if (number > at && fault.startsWith("the process dies")) throw killed();
    return made();
  });
  return () => calls > at;
}

const outcomes: Record<CallFault, (command: AwsCommand, call: Call) => Promise<unknown>> = {
  "the process dies before the call": async () => {
    throw killed();
  },
  "the process dies after the call": async (_, call) => {
    await call();
    throw killed();
  },
  "the call is throttled": async (command) => throttled(command),
  "the call meets a transaction": conflicting,
  "the reply is lost, and the SDK sends the call again": async (_, call) => {
    await call();
    return call().catch((thrown) => {
      throw Object.assign(thrown, { $metadata: { attempts: 2 } });
    });
  },
};

const failure = (name: string, more: object = {}) => Object.assign(new Error(name), { name, ...more });
const killed = () => failure("ProcessKilled");
const cancelled = (Code: string, { input }: AwsCommand) =>
  failure("TransactionCanceledException", { CancellationReasons: (input.TransactItems as []).map(() => ({ Code })) });

/**
 * As DynamoDB: a batch returns all items as unprocessed, a transaction fails with a reason for each item, others throw.
 */
export function throttled(command: AwsCommand): unknown {
  const { input } = command;
  const { name } = command.constructor;
  if (name === "BatchWriteCommand") return { UnprocessedItems: input.RequestItems };
  if (name === "BatchGetCommand") return { UnprocessedKeys: input.RequestItems };
  if (name === "TransactWriteCommand") throw cancelled("ThrottlingError", command);
  throw failure("ProvisionedThroughputExceededException");
}

/** Reads meet no conflict, and a batch leaves the item unprocessed. */
export async function conflicting(command: AwsCommand, call: Call): Promise<unknown> {
  const { name } = command.constructor;
  if (name === "TransactWriteCommand") throw cancelled("TransactionConflict", command);
  if (/^(?:Put|Update|Delete)Command$/.test(name)) throw failure("TransactionConflictException");
  return name === "BatchWriteCommand" ? throttled(command) : call();
}
