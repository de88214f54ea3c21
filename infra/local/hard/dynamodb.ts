// The proxy in front of a DynamoDB engine that makes it as hard as AWS: conflicts with ongoing transactions, requests
// that are throttled, fail or lose their reply, batches done in part, and pages cut short.
import type { LocalService } from "../aws-json.ts";
import { startCheckedDynamodb } from "../checked-dynamodb.ts";
import { Chance, type Draw } from "./chance.ts";
import { Ongoing } from "./ongoing.ts";
import { operations } from "./operations.ts";
import { type Rates, rates as usualRates } from "./rates.ts";
import { cancelled, internalServerError, type Reply, throttled } from "./replies.ts";
import { type Input, namesOfTransaction, tableOf } from "./requests.ts";

export interface HardOptions {
  /** The URL of the engine. */
  engine: string;
  seed: number;
  rates?: Rates;
}

/** Starts the proxy. Operations other than on items, for example on tables, are passed on as they are. */
export function startHardDynamodb({ engine, seed, rates = usualRates }: HardOptions): Promise<LocalService> {
  const chance = new Chance(seed);
  const ongoing = new Ongoing();
  return startCheckedDynamodb(engine, async (name, text, forwarded) => {
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (!operation) return forwarded(text);
    const input = JSON.parse(String(text)) as Input;
    const draw = chance.next(tableOf(input), `${name} ${sizeOf(input)}`);
    const refused = refusal(name, input, draw, rates);
    if (refused) return refused;
    const forward = (changed: Input) => forwarded(changed === input ? text : JSON.stringify(changed));
    const reply = await operation({ input, draw, rates, ongoing, forward });
    if (draw("failed") < rates.failed) return internalServerError();
    return draw("lost") < rates.lost ? undefined : reply;
  });
}

/** What refuses a request before it is carried out, if anything does. */
function refusal(name: string, input: Input, draw: Draw, rates: Rates): Reply | undefined {
  if (draw("failed") < rates.failed / 2) return internalServerError();
  if (name === "TransactWriteItems" || name === "TransactGetItems") {
    if (draw("cancelled") >= rates.cancelled) return undefined;
    const count = namesOfTransaction(input).length;
    const chosen = Math.floor(draw("item") * count);
    return cancelled(Array.from({ length: count }, (_, index) => (index === chosen ? "ThrottlingError" : "None")));
  }
  if (draw("throttled") >= rates.throttled) return undefined;
  return throttled(draw("name") < 0.5 ? "ProvisionedThroughputExceededException" : "ThrottlingException");
}

/** How many items a request names. It is part of the request's kind, so that other calls rarely change its count. */
function sizeOf({ TransactItems, RequestItems }: Input): number {
  if (TransactItems) return TransactItems.length;
  return Object.values(RequestItems ?? {}).reduce((sum, each) => sum + (each.length ?? each.Keys?.length ?? 0), 0);
}
