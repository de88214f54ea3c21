import { rmSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import type { Deployable } from "../../../infra/deployables.ts";
import { check } from "../../../infra/stack/check.ts";
import { fakeAssets, fakeEndpoint, fakes, notFound, purge, sweeper } from "../../support/fake-functions.ts";

const name = "it";
const assets = fakeAssets([...fakes, fakeEndpoint({ name })]);
afterAll(() => rmSync(assets, { recursive: true }));

test("check accepts functions that can be deployed", () => {
  expect(() => check(fakes, assets)).not.toThrow();
});

describe("check refuses", () => {
  const cases: [string, Deployable[]][] = [
    ["the name it is declared twice", [fakeEndpoint({ name, path: "/a" }), fakeEndpoint({ name, path: "/b" })]],
    ["the path /v2/it is declared twice", [fakeEndpoint({ name }), fakeEndpoint({ name: "other", path: "/v2/it" })]],
    ["the queue purge is declared twice", [{ ...purge, name }, purge]],
    ["it: timeoutSeconds must be 1 to 28", [fakeEndpoint({ name, timeoutSeconds: 29 })]],
    ["it: timeoutSeconds must be 1 to 900", [{ ...purge, name, timeoutSeconds: 901 }]],
    ["it: memoryMb must be 128 to 10240", [fakeEndpoint({ name, memoryMb: 64 })]],
    ["it: everyMinutes must be 1 to 1440", [{ ...sweeper, name, grants: [], everyMinutes: 0.5 }]],
    ["it: it is granted queue:purge, but no worker takes jobs", [fakeEndpoint({ name, grants: ["queue:purge"] })]],
    ["it: the grant table:all is unknown", [fakeEndpoint({ name, grants: ["table:all" as "table:read"] })]],
    ["it: a grant is listed twice", [fakeEndpoint({ name, grants: ["table:read", "table:read"] })]],
    ["it: its summary is longer than 256", [fakeEndpoint({ name, summary: "x".repeat(257) })]],
    ["It_: its name is not kebab-case", [fakeEndpoint({ name: "It_" })]],
    ["unbuilt: its bundle", [fakeEndpoint({ name: "unbuilt" })]],
    [
      "301 endpoints are more than the 300",
      Array.from({ length: 300 }, (_, index) => fakeEndpoint({ name: `e${index}` })),
    ],
  ];

  test.each(cases)("%s", (message, deployables) => {
    expect(() => check([...deployables, notFound], assets)).toThrow(message);
  });

  test("a list of functions without an endpoint for unknown paths", () => {
    expect(() => check([fakeEndpoint({ name })], assets)).toThrow("no endpoint has the path /{proxy+}");
  });

  test("several problems with one message", () => {
    const wrong = fakeEndpoint({ name, memoryMb: 64, timeoutSeconds: 29 });
    expect(() => check([wrong, notFound], assets)).toThrow(/timeoutSeconds[\s\S]*memoryMb/);
  });
});
