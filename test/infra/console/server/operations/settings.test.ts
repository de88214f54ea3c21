import { expect, test, vi } from "vitest";
import { localSettings, stackSettings } from "../../../../../infra/console/server/operations/settings.ts";
import * as deployed from "../../../../../infra/guard/deployed.ts";
import { defaults } from "../../../../../infra/stack/settings.ts";

const named = (settings: { name: string }[], name: string) => settings.find((each) => each.name === name);

test("each setting has its default and a meaning, which infra/DEPLOYMENT.md states", () => {
  const settings = localSettings();
  expect(settings.map(({ name }) => name)).toEqual(Object.keys(defaults));
  expect(settings.filter(({ meaning }) => meaning.length < 10).map(({ name }) => name)).toEqual([]);
  expect(settings.filter(({ meaning }) => /\]\(/.test(meaning))).toEqual([]);
});

test("locally, a setting has the value of the environment, and none where it has no effect", () => {
  vi.stubEnv("WORKSPACE_CALLS_PER_SECOND", "7");
  vi.stubEnv("ORIGIN_SECRET_SHA256", "ab");
  const settings = localSettings();
  vi.unstubAllEnvs();
  expect(named(settings, "workspaceCallsPerSecond")).toMatchObject({ value: 7, default: 100 });
  expect(named(settings, "workspaceCallsPerSecond")).not.toHaveProperty("isOnlyOnAws");
  expect(named(settings, "workerConcurrency")).not.toHaveProperty("value");
  expect(named(settings, "workerConcurrency")).toMatchObject({ isOnlyOnAws: true });
  expect(named(settings, "originSecretSha256")).toMatchObject({ value: "set" });
});

test("of a stack, the values are those of its template, and the others are defaults", async () => {
  const template = { Metadata: { Settings: { emailFrom: "a@b.example", originSecretSha256: "ab" } }, Resources: {} };
  const place = { region: "eu-west-1", account: "1", physicalIds: {} };
  const read = vi.spyOn(deployed, "deployedStack").mockResolvedValue({ ...place, template });
  const settings = await stackSettings("s");
  expect(read).toHaveBeenCalledWith("s");
  expect(named(settings, "emailFrom")).toMatchObject({ value: "a@b.example", default: "" });
  expect(named(settings, "throttleBurst")).toMatchObject({ value: 2_000 });
  expect(JSON.stringify(settings)).not.toContain('"ab"');
  read.mockResolvedValue({ ...place, template: { Resources: {} } });
  expect(named(await stackSettings("s"), "emailFrom")).not.toHaveProperty("value");
});
