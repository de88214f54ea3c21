// Makes warm calls of users-get, ours or written by hand, with a stubbed store. Runs as a process. Writes the median
// CPU time of a call in microseconds to descriptor 3. Log lines go to a pipe, as in Lambda.
import { writeSync } from "node:fs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { usersGet } from "../../functions/users/users-get.ts";
import { lambda } from "../../lib/http/lambda.ts";
import { hashOf } from "../../lib/store/access/auth-token.ts";
import { contextOf, eventOf } from "./event.ts";
import { handWritten } from "./peers/hand-written.ts";
import { median } from "./starts.ts";

const [which, blocks = "40"] = process.argv.slice(2);
const as = { apiKey: "ws_bench", authToken: "at_bench" };
const hash = hashOf(as.authToken);
const callsPerBlock = 500;

/** Stubs the store: every key has an item, with the fields of a user. */
async function read(keys: { pk: string; sk: string }[]) {
  const fields = { name: "Ada", email: "ada@example.com", createdAt: "2026-11-21", accessRole: "editor" };
  return keys.map(({ pk, sk }) => ({ pk, sk, userId: sk, hash, apiKey: as.apiKey, scopes: ["read"], ...fields }));
}

interface Command {
  input: { RequestItems?: { bench: { Keys: { pk: string; sk: string }[] } } };
}

/** Reads of one item, and writes, are those of the count of calls: one call in ten makes them. */
DynamoDBDocumentClient.prototype.send = (async ({ input: { RequestItems } }: Command) => {
  if (!RequestItems) return { ConsumedCapacity: { CapacityUnits: 1 } };
  const { Keys } = RequestItems.bench;
  return {
    Responses: { bench: await read(Keys) },
    UnprocessedKeys: {},
    ConsumedCapacity: [{ CapacityUnits: Keys.length }],
  };
}) as never;
process.env.TABLE_NAME = "bench";

const byHand = handWritten({ apiKey: as.apiKey, hash });
const handler = which === "ours" ? lambda(usersGet as never) : byHand;
const event = eventOf(usersGet, as, { organizationId: "o", userIds: ["a", "b", "c"] }) as never;
const context = contextOf() as never;

const perCall: number[] = [];
for (let block = 0; block < Number(blocks); block++) {
  const before = process.cpuUsage();
  for (let index = 0; index < callsPerBlock; index++) {
    const { statusCode } = await handler(event, context);
    if (statusCode !== 200) throw new Error("The call failed.");
  }
  const { user, system } = process.cpuUsage(before);
  // The first blocks include compilation.
  if (block >= Number(blocks) / 2) perCall.push((user + system) / callsPerBlock);
}
writeSync(3, String(median(perCall)));
