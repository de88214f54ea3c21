// An HTTP proxy in front of a DynamoDB engine that makes it as hard as AWS: conflicts with ongoing transactions, requests
// that are throttled, fail or lose their reply, batches done in part, and pages cut short.
import { randomUUID } from "node:crypto";
import { Agent, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { LocalService } from "../aws-json.ts";
import { listen, privateHttpServer } from "../listen.ts";
import { Chance, type Draw } from "./chance.ts";
import { Ongoing } from "./ongoing.ts";
import { operations } from "./operations.ts";
import { passOn } from "./pass-on.ts";
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
export async function startHardDynamodb({ engine, seed, rates = usualRates }: HardOptions): Promise<LocalService> {
  const chance = new Chance(seed);
  const ongoing = new Ongoing();
  const agent = new Agent({ keepAlive: true });

  async function answer(request: IncomingMessage, text: Buffer): Promise<Reply | undefined> {
    const [, name = ""] = String(request.headers["x-amz-target"]).split(".");
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    const forwarded = (body: Buffer | string) => passOn(engine, agent, request, body);
    if (!operation) return forwarded(text);
    const input = JSON.parse(String(text)) as Input;
    const draw = chance.next(tableOf(input), `${name} ${sizeOf(input)}`);
    const refused = refusal(name, input, draw, rates);
    if (refused) return refused;
    const forward = (changed: Input) => forwarded(changed === input ? text : JSON.stringify(changed));
    const reply = await operation({ input, draw, rates, ongoing, forward });
    if (draw("failed") < rates.failed) return internalServerError();
    return draw("lost") < rates.lost ? undefined : reply;
  }

  const server = privateHttpServer(async (request, response) => {
    const reply = await answer(request, await buffer(request));
    if (!reply) return void request.socket.destroy();
    const headers = { "content-type": "application/x-amz-json-1.0", "x-amzn-requestid": randomUUID() };
    response.writeHead(reply.status, headers).end(reply.body);
  });
  const { url, close } = await listen(server, 0);
  const closeAll = async () => {
    await close();
    agent.destroy();
  };
  return { endpoint: url, close: closeAll };
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
