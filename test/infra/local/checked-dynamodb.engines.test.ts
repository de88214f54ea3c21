// `test/support/engine/refusal-cases.ts` has the refused requests on items.
import { DynamoDBClient, UpdateTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import { expect, onTestFinished, test } from "vitest";

test("a time to live that is enabled cannot be enabled again", async () => {
  const client = new DynamoDBClient({ maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  const TimeToLiveSpecification = { AttributeName: "ttl", Enabled: true };
  const enabled = client.send(
    new UpdateTimeToLiveCommand({ TableName: process.env.TABLE_NAME, TimeToLiveSpecification }),
  );
  await expect(enabled).rejects.toMatchObject({
    name: "ValidationException",
    message: "TimeToLive is already enabled",
  });
});
