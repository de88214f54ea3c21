// The pipeline infra/examples/pipeline.yml, and what infra/DEPLOYMENT.md says about it.
import { describe, expect, it } from "vitest";
import { alarmTable } from "../../infra/watch/alarm-table.ts";
import { fakes } from "../support/fake-functions.ts";
import { deployment, goBack, page, place, steps, text, workflow } from "../support/pipeline.ts";
import { sources } from "../support/sources.ts";
import { synth } from "../support/synth.ts";

describe("the pipeline", () => {
  it("checks, asks the guard, deploys, tests the service, watches it and remembers what works, in this order", () => {
    const order = [/^npm test$/, /^npx cdk synth --quiet$/, /^npm run guard\b/, deployment, /^npm run smoke\b/].map(
      place,
    );
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(order.at(-1)).toBeLessThan(place(/sleep.*describe-alarm-history/s));
    expect(place(/git push/)).toBeGreaterThan(place(/sleep 60/));
    expect(steps.at(-1)).toBe(goBack);
  });

  it("goes back after every failure that follows a deployment, also through the guard", () => {
    expect(goBack.if).toBe("failure() && steps.deploy.outcome == 'success' && steps.remember.outcome == 'skipped'");
    const lines = goBack.run?.split("\n") ?? [];
    const order = [/^git switch/, /^npm ci$/, /^npx cdk synth/, /^npm run guard/, /^npx cdk deploy --app/].map(
      (pattern) => lines.findIndex((line) => pattern.test(line)),
    );
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });

  it("goes back by hand with the settings of main, which the tag then has too", () => {
    const keep = steps[place(/git checkout origin\/main -- cdk\.json/)];
    expect(keep).toMatchObject({ if: "inputs.ref", run: expect.stringMatching(/^git diff --cached .* commit /m) });
    expect(steps.indexOf(keep ?? {})).toBeLessThan(place(/^npx cdk synth/));
    const { run, env } = steps[place(/^npm run guard/)] ?? {};
    expect(run).toContain('--changed="$CHANGED" $BACK');
    expect(Object.values(env ?? {}).join()).toMatch(/^\S+ inputs\.changed \S+ inputs\.ref && '--back' }}$/);
  });

  it("goes back by itself from the changes of settings of its own run, and from no others", () => {
    expect(steps[place(/^npm run guard/)]?.run).toContain('--write-changed "$RUNNER_TEMP/changed"');
    expect(goBack.run).toContain('--back --changed="$(cat "$RUNNER_TEMP/changed")"');
  });

  it("refers to steps and inputs that exist", () => {
    const ids = steps.flatMap(({ id }) => id ?? []);
    const used = [...text.matchAll(/steps\.(\w+)\./g)].map(([, id = ""]) => id);
    expect(used.filter((id) => !ids.includes(id))).toEqual([]);
    const inputs = [...text.matchAll(/inputs\.(\w+)/g)].map(([, name = ""]) => name);
    expect(inputs.filter((name) => !(name in workflow.on.workflow_dispatch.inputs))).toEqual([]);
    expect(steps.every(({ run, uses }) => (run === undefined) !== (uses === undefined))).toBe(true);
  });

  it("ends when a command in a pipe fails, so that no failure looks like an empty list of alarms", () => {
    expect(workflow.defaults.run.shell).toBe("bash");
    const heads = steps.filter(({ run = "" }) => /\|\s*head\b/.test(run));
    expect(heads, "with pipefail, head can end the command before it").toEqual([]);
  });

  it("watches exactly the alarms that the table marks", () => {
    const output = synth(fakes).template.toJSON().Outputs.ReleaseAlarms.Value;
    const named: string[] = output["Fn::Join"][1].flatMap((part: { Ref?: string }) => part.Ref ?? []);
    const marked = Object.entries(alarmTable).flatMap(([name, row]) => ("goesBack" in row ? [name] : []));
    const names = named.map((id) => /^alarms(.*)[0-9A-F]{8}$/.exec(id)?.[1]);
    expect(names.sort()).toEqual(marked.map((name) => name.replaceAll("-", "")).sort());
    expect(steps[place(/sleep 60/)]?.run).toContain("?OutputKey=='ReleaseAlarms'");
  });

  it("watches these alarms as long as each of them needs", () => {
    const [, minutes = ""] = /seq (\d+)/.exec(steps.map(({ run = "" }) => run).join("\n")) ?? [];
    // The ten attempts of a job take 17 minutes.
    const startMinutes: Record<string, number> = { "failed-jobs": 18 };
    const needed = Object.entries(alarmTable)
      .filter(([, row]) => "goesBack" in row)
      .map(([name, { periodMinutes, periods }]) => periodMinutes * periods + (startMinutes[name] ?? 1));
    expect(Math.max(...needed)).toBeLessThanOrEqual(Number(minutes));
  });

  it("has the permissions of the guard", () => {
    const services = {
      cloudformation: "CloudFormation",
      dynamodb: "DynamoDB",
      kms: "KMS",
      s3: "S3",
      lambda: "Lambda",
      sns: "SNS",
    };
    const code = sources("infra/guard")
      .map(({ text: source }) => source)
      .join("\n");
    const called = [...code.matchAll(/new (\w+)Command\(|paginate(\w+)\(/g)].map(([, one, many]) =>
      String(one ?? many),
    );
    expect(called.length).toBeGreaterThan(6);
    const named = [...page.matchAll(/`(\w+):(\w+)`/g)].filter(([, service = ""]) => service in services);
    // The permissions of these requests have other names.
    const permissions: Record<string, string> = {
      HeadBucket: "ListBucket",
      GetBucketLifecycleConfiguration: "GetLifecycleConfiguration",
      GetPublicAccessBlock: "GetBucketPublicAccessBlock",
    };
    const wanted = called.map((name) => permissions[name] ?? name);
    expect(wanted.filter((action) => !named.some(([, , each]) => each === action))).toEqual([]);
  });
});
