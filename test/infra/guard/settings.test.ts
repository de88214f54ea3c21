import { expect, test } from "vitest";
import { forgottenSettings } from "../../../infra/guard/settings.ts";
import { deployed, mockGuard, own, passed, runGuard } from "../../support/guard.ts";

mockGuard();

const withSettings = (Settings: Record<string, unknown>) => ({ ...own, Metadata: { Settings } });
const domain = { customDomain: "api.example.com", originSecretSha256: "0".repeat(64) };

test("a setting of the deployed stack that the template leaves out is refused, with its value", async () => {
  deployed(withSettings(domain));
  const { status, stderr } = await runGuard({ s: withSettings({ originSecretSha256: "1".repeat(64) }) });
  expect(status).toBe(1);
  expect(stderr).toBe(
    'Do not deploy the stack s:\n- The setting customDomain of the deployed stack is "api.example.com", and the template does not have it. Add it to context of cdk.json. To end it on purpose, set it to its default there: "".\n',
  );
});

test("a setting may change, be added, and end by its default", async () => {
  deployed(withSettings(domain));
  const ended = { customDomain: "", originSecretSha256: "1".repeat(64), alarmEmail: "operator@example.com" };
  expect(await runGuard({ s: withSettings(ended) })).toEqual(passed);
  deployed(withSettings(ended));
  expect(forgottenSettings(withSettings(ended), withSettings({ ...ended, customDomain: undefined }))).toEqual([]);
});

test("the former index may go, and so may a setting that the release no longer has", () => {
  expect(forgottenSettings(withSettings({ keepFormerIndex: true, formerSetting: 7 }), withSettings({}))).toEqual([]);
});

test("a stack of a release that stored no settings has forgotten none", () => {
  expect(forgottenSettings(own, withSettings({}))).toEqual([]);
  expect(forgottenSettings(undefined, withSettings({}))).toEqual([]);
});
