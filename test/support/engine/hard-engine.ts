// The hard engine with chosen rates, and a client that tries each request only once.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { onTestFinished } from "vitest";
import { placeholderAccess } from "../../../infra/local/environment.ts";
import { startHardDynamodb } from "../../../infra/local/hard/dynamodb.ts";
import { type Rates, rates } from "../../../infra/local/hard/rates.ts";

export const none = Object.fromEntries(Object.keys(rates).map((name) => [name, 0])) as unknown as Rates;

/** Only the given disturbances. In front of the engine that all tests share, or of another one. */
export async function hardEngine(
  disturbances: Partial<Rates>,
  { engine = process.env.PLAIN_DYNAMODB_ENDPOINT as string, seed = 1 } = {},
): Promise<DynamoDBDocumentClient> {
  const { endpoint, close } = await startHardDynamodb({ engine, seed, rates: { ...none, ...disturbances } });
  const client = new DynamoDBClient({ endpoint, maxAttempts: 1, ...placeholderAccess });
  onTestFinished(async () => {
    client.destroy();
    await close();
  });
  return DynamoDBDocumentClient.from(client);
}
