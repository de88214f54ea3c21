// An HTTP proxy in front of a DynamoDB engine. It refuses what DynamoDB refuses and the engine does not.
import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { buffer } from "node:stream/consumers";
import type { LocalService } from "./aws-json.ts";
import { passOn } from "./hard/pass-on.ts";
import { invalid, type Reply } from "./hard/replies.ts";
import { listen, privateHttpServer } from "./listen.ts";
import { type AskedQuery, emptyName, problemOfQuery } from "./refusals.ts";

/** Sends a request to the engine. */
export type Forward = (body: Buffer | string) => Promise<Reply>;

/** Answers a request of this operation that is not refused. Undefined: the reply is lost. */
export type Answer = (operation: string, text: Buffer, forward: Forward) => Promise<Reply | undefined>;

/** Starts the proxy. */
export async function startCheckedDynamodb(
  engine: string,
  answer: Answer = (_, text, forward) => forward(text),
): Promise<LocalService> {
  const agent = new Agent({ keepAlive: true });
  const server = privateHttpServer(async (request, response) => {
    const text = await buffer(request);
    const { "x-amz-target": target = "", ...headers } = request.headers;
    const [service, operation = ""] = String(target).split(".");
    const as = (name: string) => (body: Buffer | string) =>
      passOn(engine, agent, { ...headers, "x-amz-target": `${service}.${name}` }, body);
    const problem = await problemOf(operation, text, as("DescribeTimeToLive"));
    const forwarded = operation === "Query" ? withRange(text) : text;
    const reply = problem ? invalid(problem) : await answer(operation, forwarded, as(operation));
    if (!reply) return void request.socket.destroy();
    const replyHeaders = { "content-type": "application/x-amz-json-1.0", "x-amzn-requestid": randomUUID() };
    response.writeHead(reply.status, replyHeaders).end(reply.body);
  });
  const { url, close } = await listen(server, 0);
  const closeAll = async () => {
    await close();
    agent.destroy();
  };
  return { endpoint: url, close: closeAll };
}

/** In bytes. */
const sortKeyMax = 1_024;

/**
 * The query with a range in place of its prefix. In a prefix, the engine takes `a` and `A` for the same letter. The range
 * ends with the last sort key that has the prefix.
 */
function withRange(text: Buffer): Buffer {
  if (!text.includes("begins_with")) return text;
  const query = JSON.parse(String(text));
  const values: Typed = query.ExpressionAttributeValues;
  const range = (_: string, name: string, value: string) => {
    const prefix = values[value]?.S ?? "";
    const left = Math.floor((sortKeyMax - Buffer.byteLength(prefix)) / 4);
    values[":endOfPrefix"] = { S: prefix + "\u{10FFFF}".repeat(Math.max(0, left)) };
    return `${name} BETWEEN ${value} AND :endOfPrefix`;
  };
  query.KeyConditionExpression = query.KeyConditionExpression.replace(/begins_with\(([#\w]+), ?(:\w+)\)/, range);
  return Buffer.from(JSON.stringify(query));
}

/** A name of an object in JSON. Within a string, its quotes would have backslashes. */
const emptyNameInJson = /[{,]\s*""\s*:/;
/** A placeholder of an expression for an empty name. */
const emptyPlaceholder = /"#\w+"\s*:\s*""/;

/** What is wrong with a request; undefined: nothing that the engine does not see. */
async function problemOf(operation: string, text: Buffer, describe: Forward): Promise<string | undefined> {
  if (text.includes('""')) {
    const json = String(text);
    if (emptyNameInJson.test(json) || emptyPlaceholder.test(json)) return emptyName;
  }
  if (operation === "Query") return problemOfQuery(plain(JSON.parse(String(text))));
  if (operation !== "UpdateTimeToLive") return undefined;
  const { TableName, TimeToLiveSpecification } = JSON.parse(String(text));
  if (!TimeToLiveSpecification?.Enabled) return undefined;
  const described = await describe(JSON.stringify({ TableName }));
  const status = JSON.parse(String(described.body)).TimeToLiveDescription?.TimeToLiveStatus;
  return status === "ENABLED" ? "TimeToLive is already enabled" : undefined;
}

type Typed = Record<string, { S?: string; N?: string }>;

/** The query with plain values in place of DynamoDB's. */
function plain({ ExpressionAttributeValues, ExclusiveStartKey, ...query }: Record<string, unknown>): AskedQuery {
  const valuesOf = (typed: Typed = {}) =>
    Object.fromEntries(Object.entries(typed).map(([name, { S, N }]) => [name, S ?? Number(N)]));
  return {
    ...query,
    ExpressionAttributeValues: valuesOf(ExpressionAttributeValues as Typed),
    ...(ExclusiveStartKey !== undefined && { ExclusiveStartKey: valuesOf(ExclusiveStartKey as Typed) }),
  };
}
