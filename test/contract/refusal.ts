// What every refusal looks like, and how to see that it changed nothing.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import { expect } from "vitest";
import { type ErrorStatus, httpStatus, type Issue } from "../../lib/errors.ts";
import type { Credentials, Reply } from "../support/call.ts";

/** The failure envelope with this status, and nothing beside it. */
export function expectRefused(reply: Reply, status: ErrorStatus, message?: string | RegExp, code?: number): void {
  expect({ http: reply.status, status: reply.error?.status }).toEqual({ http: code ?? httpStatus[status], status });
  expect(Object.keys(reply.body)).toEqual(["error"]);
  expect(reply.error?.message).toMatch(message ?? /./);
  expect(reply.headers["content-type"]).toBe("application/json");
  expect(reply.headers["x-request-id"]).toMatch(/./);
}

export const issuesOf = (reply: Reply) => (reply.error?.details?.issues ?? []) as Issue[];

export const pathsOf = (reply: Reply) => issuesOf(reply).map(({ path }) => path.join("."));

/** Everything that is stored of a workspace, by its keys. */
export async function storedOf({ apiKey }: Credentials): Promise<Record<string, unknown>> {
  return byKey(
    await scan({
      FilterExpression: "begins_with(pk, :pk) OR workspace = :workspace",
      ExpressionAttributeValues: { ":pk": `W#${apiKey}`, ":workspace": apiKey },
    }),
  );
}

/** The same of many, for the price of one. */
export async function storedOfMany(workspaces: readonly Credentials[]): Promise<Record<string, unknown>[]> {
  const items = await scan({});
  return workspaces.map(({ apiKey }) =>
    byKey(items.filter(({ pk, workspace }) => `${pk}#`.startsWith(`W#${apiKey}#`) || workspace === apiKey)),
  );
}

async function scan(input: object): Promise<Record<string, unknown>[]> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  const pages = await Array.fromAsync(paginateScan({ client }, { TableName: process.env.TABLE_NAME, ...input }));
  return pages.flatMap(({ Items }) => Items ?? []);
}

const byKey = (items: Record<string, unknown>[]) =>
  Object.fromEntries(items.map((item) => [`${item.pk} ${item.sk}`, item]));
