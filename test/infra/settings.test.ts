import { RootConstruct } from "constructs";
import { describe, expect, test } from "vitest";
import { settingsOf } from "../../infra/settings.ts";

function read(context: Record<string, unknown>) {
  const root = new RootConstruct();
  for (const [name, value] of Object.entries(context)) root.node.setContext(name, value);
  return settingsOf(root);
}

test("default settings protect the data, throttle calls and allow no private address", () => {
  expect(read({})).toMatchObject({ development: false, egressAllowCidrs: "", throttleRequestsPerSecond: 1_000 });
});

test("a string of the command line has the meaning of the value in cdk.json", () => {
  const given = { development: "true", throttleBurst: "5", logRetentionDays: "7" };
  expect(read(given)).toEqual(read({ development: true, throttleBurst: 5, logRetentionDays: 7 }));
  expect(read(given)).toMatchObject({ development: true, throttleBurst: 5 });
});

describe("settingsOf refuses an invalid setting and names the valid values", () => {
  test.each([
    ["stackName", "1st_stack"],
    ["development", "yes"],
    ["alarmEmail", "nobody"],
    ["egressAllowCidrs", "10.0.0.0"],
    ["aiOrigins", "example.com"],
    ["aiOrigins", "https://example.com/"],
    ["permissionProviderOrigins", "http://example.com"],
    ["permissionProviderOrigins", "https://example.com,none"],
    ["tokenIssuer", "two words"],
    ["logRetentionDays", "31"],
    ["ingestBudgetSeconds", 27],
    ["workspaceCallsPerSecond", 0],
    ["webhookEndpointsMax", 501],
    ["throttleRequestsPerSecond", ""],
    ["throttleBurst", "1.5"],
    ["throttleBurst", "many"],
  ])("%s %j", (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`${name} must be`);
  });

  test("several invalid settings with one message", () => {
    expect(() => read({ throttleBurst: 0, development: 1 })).toThrow(/development[\s\S]*throttleBurst/);
  });
});
