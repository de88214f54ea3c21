import { afterAll, expect, it } from "vitest";
import { pointAtLocal } from "../../../infra/local/environment.ts";

const before = { ...process.env };
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});

it("has the time zone of Lambda, so that a time without an offset is in UTC", () => {
  process.env.TZ = "Asia/Tokyo";
  expect(new Date("2024-01-01T00:00:00").toISOString()).toBe("2023-12-31T15:00:00.000Z");
  pointAtLocal({ dynamodb: "", kms: "", s3: "" });
  expect(new Date("2024-01-01T00:00:00").toISOString()).toBe("2024-01-01T00:00:00.000Z");
});
