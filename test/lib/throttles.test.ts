import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, it, onTestFinished } from "vitest";
import { placeholderAccess } from "../../infra/local/environment.ts";
import { inCall, newCall } from "../../lib/call.ts";
import { countThrottles } from "../../lib/throttles.ts";

/** The metrics of a call whose one request gets these replies, in turn. */
async function measuresAfter(replies: [status: number, body: object][]) {
  const server = createServer((_, response) => {
    const [status, body] = replies.shift() ?? [200, {}];
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({ endpoint, maxAttempts: 3, ...placeholderAccess });
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const record = newCall("request");
  const command = new GetItemCommand({ TableName: "t", Key: { pk: { S: "p" } } });
  await inCall(record, () => countThrottles(client, "dynamodbThrottles").send(command)).catch(() => {});
  return record.measures;
}

const error = (name: string, more: object = {}) => ({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, ...more });

it("a throttled attempt counts, also when the SDK repeats it with success", async () => {
  const throttled = error("ThrottlingException");
  expect(
    await measuresAfter([
      [400, throttled],
      [400, throttled],
    ]),
  ).toEqual({ dynamodbThrottles: 2 });
});

it("a transaction that is cancelled because of throttling counts", async () => {
  const CancellationReasons = [{ Code: "None" }, { Code: "ThrottlingError" }];
  const cancelled = error("TransactionCanceledException", { CancellationReasons });
  expect(await measuresAfter([[400, cancelled]])).toEqual({ dynamodbThrottles: 1 });
});

it("another failure does not count", async () => {
  expect(await measuresAfter([[400, error("ConditionalCheckFailedException")]])).toEqual({});
  expect(await measuresAfter([[500, error("InternalServerError")]])).toEqual({});
});
