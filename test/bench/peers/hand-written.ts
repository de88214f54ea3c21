// users-get for given ids, written by hand on the SDK, with only the necessary work of a call.
import { createHash } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { BatchGetCommand, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { APIGatewayProxyEventV2 } from "aws-lambda";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters that are refused
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;
const isId = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length > 0 &&
  value.length <= 256 &&
  value.isWellFormed() &&
  !controlCharacters.test(value);

export function handWritten(cached: { apiKey: string; hash: string }) {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const read = async (Keys: { pk: string; sk: string }[]) => {
    const RequestItems = { bench: { Keys, ConsistentRead: true } };
    const { Responses } = await client.send(new BatchGetCommand({ RequestItems, ReturnConsumedCapacity: "TOTAL" }));
    return Responses?.bench ?? [];
  };

  return async (event: APIGatewayProxyEventV2) => {
    const startedAt = performance.now();
    const { requestId } = event.requestContext;
    const workspace = event.headers["x-service-api-key"];
    const hash = createHash("sha256")
      .update(event.headers["x-service-auth-token"] ?? "")
      .digest("hex");
    if (workspace !== cached.apiKey || hash !== cached.hash) return reply(403, requestId, { error: "denied" });
    const { data } = JSON.parse(event.body ?? "");
    const issues: string[] = [];
    if (!isId(data.organizationId)) issues.push("organizationId");
    if (!Array.isArray(data.userIds) || data.userIds.length > 100 || !data.userIds.every(isId)) issues.push("userIds");
    if (issues.length > 0) return reply(400, requestId, { error: issues });
    const partition = `W#${workspace}#O#${data.organizationId}`;
    const [[organization], found] = await Promise.all([
      read([{ pk: partition, sk: "ORG" }]),
      read(data.userIds.map((id: string) => ({ pk: `${partition}#U#${shardOf(id)}`, sk: id }))),
    ]);
    if (!organization) return reply(404, requestId, { error: "organization" });
    const users = found.map(({ userId, name, email, isAdmin, accessRole }) => ({
      userId,
      name,
      email,
      isAdmin: isAdmin === true,
      accessRole,
    }));
    const line = { level: "info", time: new Date().toISOString(), message: "call", requestId, workspace, status: "OK" };
    process.stdout.write(`${JSON.stringify({ ...line, durationMs: performance.now() - startedAt })}\n`);
    const result = { status: "success", message: "Users retrieved.", data: { users, nextPageToken: null } };
    return reply(200, requestId, { result });
  };
}

function shardOf(id: string): number {
  return createHash("sha256").update(id).digest().readUInt8(0) % 16;
}

function reply(statusCode: number, requestId: string, body: object) {
  return {
    statusCode,
    headers: { "content-type": "application/json", "x-request-id": requestId },
    body: JSON.stringify(body),
  };
}
