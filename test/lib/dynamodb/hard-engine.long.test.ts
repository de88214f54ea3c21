// The store on an engine that disturbs three times as often as the engine of all other tests.
import { afterAll, describe, expect, it } from "vitest";
import { startHardDynamodb } from "../../../infra/local/hard/dynamodb.ts";
import { type Rates, rates } from "../../../infra/local/hard/rates.ts";
import { storeCases } from "../../support/engine/cases.ts";
import { seedFrom } from "../../support/long.ts";

const factor = 3;
const harder = Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, rate * factor])) as unknown;
const { endpoint, close } = await startHardDynamodb({
  engine: process.env.PLAIN_DYNAMODB_ENDPOINT as string,
  seed: seedFrom(1),
  rates: harder as Rates,
});
process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
afterAll(close);

describe("the store on an engine that disturbs often", storeCases);

it("the shares of the usual engine leave a request five attempts", () => {
  const disturbed = rates.throttled + rates.failed + rates.lost;
  expect(disturbed ** 5).toBeLessThan(1e-8);
});
