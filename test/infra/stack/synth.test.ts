import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotations, App, Stack, Validations } from "aws-cdk-lib";
import { CfnTopic } from "aws-cdk-lib/aws-sns";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, onTestFinished, test } from "vitest";
import { checked } from "../../../infra/stack/settings.ts";
import { BackendStack } from "../../../infra/stack/stack.ts";
import { synthWithoutWarnings } from "../../../infra/stack/synth.ts";
import { allSettings } from "../../support/all-settings.ts";
import { fakeAssets, fakes } from "../../support/fake-functions.ts";
import { root } from "../../support/sources.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "synth-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** An app with one stack, as infra/app.ts makes it. CDK's own validation takes seconds. */
function appWith(add: (stack: Stack) => void, isValidated = false): App {
  const app = new App({ outdir: folder(), builtinCloudFormationValidation: isValidated });
  add(new Stack(app, "it"));
  return app;
}

describe("synthesis", () => {
  test.each([
    ["the defaults", {}],
    ["all settings", allSettings],
  ])("passes for the service with %s", (_, given) => {
    const app = new App({ outdir: folder() });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    const assets = fakeAssets(fakes);
    onTestFinished(() => rmSync(assets, { recursive: true }));
    new BackendStack(app, { deployables: fakes, assets, settings: checked(given) });
    expect(() => synthWithoutWarnings(app)).not.toThrow();
  });

  test("fails for a warning, unless somebody has acknowledged it", () => {
    const warn = (stack: Stack) => Annotations.of(stack).addWarningV2("it:wrong", "It is wrong.");
    expect(() => synthWithoutWarnings(appWith(warn))).toThrow(/^Correct these.*\n- \/it: It is wrong\./);
    const acknowledged = (stack: Stack) => {
      Annotations.of(stack).acknowledgeWarning("it:wrong", "It is right.");
      warn(stack);
    };
    expect(() => synthWithoutWarnings(appWith(acknowledged))).not.toThrow();
  });

  test("fails for a property that CloudFormation would refuse, although CDK only warns of it", () => {
    const wrong = (stack: Stack) => new CfnTopic(stack, "topic").addPropertyOverride("NoSuchProperty", 1);
    expect(() => synthWithoutWarnings(appWith(wrong, true))).toThrow(/it\/topic: \S+: .*NoSuchProperty/);
  });

  test("is that of the app", () => {
    const app = readFileSync(join(root, "infra/app.ts"), "utf8");
    expect(app).toContain("synthWithoutWarnings(app);");
    expect(app).not.toContain("app.synth(");
  });
});
