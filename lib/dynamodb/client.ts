// The client for DynamoDB, created on first use and kept by the container. It counts the units that requests consume.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { clientOptions } from "../aws.ts";
import { countRoundTrip, mayRetry, readWithinCall, writeWithinCall } from "../call.ts";
import { config } from "../config.ts";
import { monotonicMs } from "../monotonic.ts";
import { countThrottles } from "../throttles.ts";
import { ConflictError } from "./retry-on-conflict.ts";

interface Consumed {
  CapacityUnits?: number | undefined;
}

const clients = new Map<number, DynamoDBDocumentClient>();

function documentClient(maxAttempts: number): DynamoDBDocumentClient {
  const known = clients.get(maxAttempts);
  if (known) return known;
  const dynamodb = new DynamoDBClient({ ...clientOptions(), maxAttempts });
  const client = DynamoDBDocumentClient.from(countThrottles(dynamodb, "dynamodbThrottles"), {
    marshallOptions: { removeUndefinedValues: true },
  });
  clients.set(maxAttempts, client);
  return client;
}

/** Attempts of the SDK at a request that failed or got no reply. */
const sdkAttemptsMax = 5;

/** Attempts at a write that conflicts with a transaction, and at a transaction that is cancelled as temporary. */
export const attemptsMax = 9;
/** A write met a transaction on the same item, or a repeated transaction still runs. The SDK repeats only the latter. */
const conflicts = new Set(["TransactionConflictException", "TransactionInProgressException"]);

/**
 * Sends one command within the call's deadline and counts its units. `kind`: the kind of these units. `once`: the command
 * must not be repeated when its reply was lost. Throws ConflictError when the command met a transaction at each of nine
 * attempts, or as long as the call may lose time. `$metadata.attempts` of another failure counts those of the SDK before a conflict too.
 */
export async function send<Output>(command: object, kind: "read" | "write", once = false): Promise<Output> {
  const client = documentClient(once ? 1 : sdkAttemptsMax);
  const startedAt = monotonicMs();
  let repeats = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      const request = (options: object) => client.send(command as never, options);
      const output = await (kind === "write" ? writeWithinCall(request) : readWithinCall(request));
      countRoundTrip(kind, unitsOf((output as { ConsumedCapacity?: Consumed | Consumed[] }).ConsumedCapacity));
      return output as Output;
    } catch (thrown) {
      const failure = (thrown ?? {}) as { name?: string; $metadata?: { attempts?: number } };
      const { name, $metadata } = failure;
      repeats += ($metadata?.attempts ?? 1) - 1;
      if (name === undefined || !conflicts.has(name)) {
        if (repeats > 0) failure.$metadata = { ...$metadata, attempts: 1 + repeats };
        throw thrown;
      }
      const isUnwritten = name === "TransactionConflictException";
      if (attempt === attemptsMax || !(await mayRetry(attempt - 1, startedAt))) {
        throw new ConflictError(`The write was refused: ${name}.`, { cause: thrown, isUnwritten });
      }
    }
  }
}

function unitsOf(consumed: Consumed | Consumed[] | undefined): number {
  if (!Array.isArray(consumed)) return consumed?.CapacityUnits ?? 0;
  return consumed.reduce((sum, each) => sum + (each.CapacityUnits ?? 0), 0);
}

/** Parameters of every request: the table's name, and that the reply states the consumed capacity. */
export function onTable() {
  return { TableName: config.tableName(), ReturnConsumedCapacity: "TOTAL" as const };
}
