import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { deployed, mockGuard, own, passed, runGuard } from "../../support/guard.ts";

mockGuard();

const withSettings = (Settings: Record<string, unknown>) => ({ ...own, Metadata: { Settings } });
const domain = { customDomain: "api.example.com", originSecretSha256: "0".repeat(64) };

test("a setting of the deployed stack that the template leaves out is refused, with its value", async () => {
  deployed(withSettings(domain));
  const { status, stderr } = await runGuard({ s: withSettings({ originSecretSha256: "1".repeat(64) }) });
  expect(status).toBe(1);
  expect(stderr).toBe(
    'Do not deploy the stack s:\n- The deployed stack has the setting customDomain, "api.example.com", and the template does not have it. Add it to context of cdk.json. To end it on purpose, set it to its default there: "".\n',
  );
});

const passedWith = (...lines: string[]) => ({ ...passed, stdout: [...lines, passed.stdout].join("\n") });

test("a setting may change, be added, and end by its default, and each is printed, but no secret", async () => {
  deployed(withSettings(domain));
  const ended = { customDomain: "", originSecretSha256: "1".repeat(64), alarmEmail: "operator@example.com" };
  expect(await runGuard({ s: withSettings(ended) })).toEqual(
    passedWith(
      'The setting alarmEmail changes from "" to "operator@example.com".',
      'The setting customDomain changes from "api.example.com" to "".',
      "The setting originSecretSha256 changes.",
    ),
  );
  deployed(withSettings(ended));
  const { originSecretSha256, alarmEmail } = ended;
  expect(await runGuard({ s: withSettings({ originSecretSha256, alarmEmail }) })).toEqual(passed);
});

test("the value of a secret is not printed when it is missing", async () => {
  deployed(withSettings(domain));
  const { stdout, stderr } = await runGuard({ s: withSettings({ customDomain: domain.customDomain }) });
  expect(stderr).toContain(
    "- The deployed stack has the setting originSecretSha256, and the template does not have it.",
  );
  expect(stdout + stderr).not.toContain(domain.originSecretSha256);
});

test("a setting that the release no longer has may go", async () => {
  deployed(withSettings({ formerSetting: 7 }));
  const { status } = await runGuard({ s: withSettings({}) });
  expect(status).toBe(0);
});

test("a stack of a release that stored no settings has forgotten and changed none", async () => {
  deployed({ ...own, Metadata: {} });
  expect(await runGuard({ s: withSettings({ alarmEmail: "operator@example.com" }) }, "--back")).toEqual(passed);
});

describe("going back", () => {
  const former = { ...domain, originSecretSha256: "1".repeat(64), throttleBurst: 7 };

  test("passes with the settings of the deployed stack", async () => {
    deployed(withSettings(domain));
    expect(await runGuard({ s: withSettings(domain) }, "--back")).toEqual(passed);
  });

  test("is refused when it would change settings back, without the value of a secret", async () => {
    deployed(withSettings(domain));
    const { status, stdout, stderr } = await runGuard({ s: withSettings(former) }, "--back");
    expect(status).toBe(1);
    const keep =
      "Keep the settings of the deployed stack: git checkout main -- cdk.json. If this is on purpose, add --changed";
    expect(stderr).toBe(
      [
        "Do not deploy the stack s:",
        `- The setting originSecretSha256 changes. ${keep} originSecretSha256.`,
        `- The setting throttleBurst changes from 2000 to 7. ${keep} throttleBurst.`,
        "",
      ].join("\n"),
    );
    for (const secret of [domain, former]) expect(stdout + stderr).not.toContain(secret.originSecretSha256);
  });

  test("is refused to a release that does not have a setting of the deployed stack", async () => {
    deployed(withSettings({ laterSetting: "on" }));
    const { stderr } = await runGuard({ s: withSettings({}) }, "--back");
    expect(stderr).toContain(
      "- The setting laterSetting of the deployed stack does not exist in this release. Go back to a release that has it.",
    );
  });

  test("passes for the settings that may change, which an earlier run wrote to a file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "changed-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "changed");
    deployed(withSettings(former));
    await runGuard({ s: withSettings({ ...domain, alarmEmail: "operator@example.com" }) }, "--write-changed", file);
    const names = readFileSync(file, "utf8");
    expect(names).toBe("alarmEmail,originSecretSha256,throttleBurst");
    deployed(withSettings({ ...domain, alarmEmail: "operator@example.com" }));
    expect(await runGuard({ s: withSettings(former) }, "--back", `--changed=${names}`)).toMatchObject({ status: 0 });
    expect(await runGuard({ s: withSettings(former) }, "--back", "--changed=")).toMatchObject({ status: 1 });
  });
});
