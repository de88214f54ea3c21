// The pipeline that infra/DEPLOYMENT.md shows as an example.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { alarmTable } from "../../infra/watch/alarm-table.ts";
import { documentText } from "../support/documents.ts";
import { sources } from "../support/sources.ts";

interface Step {
  id?: string;
  name?: string;
  uses?: string;
  run?: string;
  if?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface Workflow {
  on: { push: { branches: string[] }; workflow_dispatch: { inputs: Record<string, object> } };
  env: Record<string, string>;
  defaults: { run: { shell: string } };
  jobs: Record<string, { "runs-on": string; steps: Step[] }>;
}

const page = documentText("infra/DEPLOYMENT.md");
const [, text = ""] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
const workflow: Workflow = parse(text, { strict: true });
const steps = workflow.jobs.deploy?.steps ?? [];
const place = (pattern: RegExp) => steps.findIndex(({ run = "" }) => pattern.test(run));
const goBack = steps.find(({ name }) => name === "go back") ?? {};
const deployment = /^npx cdk deploy --app cdk\.out --require-approval never$/m;

/** Runs both steps that list alarms, for stack `s` with the alarms `s-a-1` and `s-b-1`. Raised: before and after the deployment. */
function watched(before: readonly string[], after: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "pipeline-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const list = steps[place(/describe-alarms/)]?.run;
  const watch = steps[place(/sleep/)]?.run;
  const script = `sleep() { :; }
aws() { if [ "$2" = list-stack-resources ]; then printf '%s\\n' s-b-1 s-a-1; else printf '%s' "$RAISED"; fi; }
RAISED=$BEFORE
${list}
RAISED=$AFTER
${watch}`;
  const lines = (names: readonly string[]) => names.map((name) => `${name}\n`).join("");
  const env = { PATH: process.env.PATH, STACK: "s", RUNNER_TEMP: folder, BEFORE: lines(before), AFTER: lines(after) };
  const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-eo", "pipefail", "-c", script], {
    encoding: "utf8",
    env,
  });
  return { status, stdout, stderr };
}

describe("the pipeline", () => {
  it("checks, asks the guard, deploys, tests the service, watches it and remembers what works, in this order", () => {
    const order = [/^npm test$/, /^npx cdk synth --quiet$/, /^npm run guard\b/, deployment, /^npm run smoke\b/].map(
      place,
    );
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(order.at(-1)).toBeLessThan(place(/describe-alarms.*sleep|sleep.*describe-alarms/s));
    expect(place(/git push/)).toBeGreaterThan(place(/sleep/));
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

  it("fails for an alarm of its stack that is raised since the deployment, and for no other", () => {
    const quiet = { status: 0, stdout: "", stderr: "" };
    expect(watched([], [])).toEqual(quiet);
    expect(watched(["s-a-1"], ["s-a-1"])).toEqual(quiet);
    expect(watched(["s-a-1"], ["s-2-a-1", "s-a-1"])).toEqual(quiet);
    const raised = { ...quiet, status: 1, stdout: "Raised since the deployment: s-b-1\n" };
    expect(watched(["s-a-1"], ["s-b-1", "s-2-a-1"])).toEqual(raised);
  });

  it("watches the alarms as long as each of them needs, except those that need more than half an hour", () => {
    const [, minutes = ""] = /seq (\d+)/.exec(steps.map(({ run = "" }) => run).join("\n")) ?? [];
    // The ten attempts of a job take 17 minutes, a message becomes a dead letter after an hour, and one is too old after 20 minutes.
    const startMinutes: Record<string, number> = { "failed-jobs": 18, "dead-letters": 60, "queue-age": 20 };
    const needed = Object.entries(alarmTable).map(
      ([name, { periodMinutes, periods }]) => periodMinutes * periods + (startMinutes[name] ?? 1),
    );
    expect(Math.max(...needed.filter((each) => each < 30))).toBeLessThanOrEqual(Number(minutes));
  });

  it("has the permissions of the guard", () => {
    const services = { cloudformation: "CloudFormation", dynamodb: "DynamoDB", kms: "KMS", s3: "S3" };
    const code = sources("infra/guard")
      .map(({ text: source }) => source)
      .join("\n");
    const called = [...code.matchAll(/new (\w+)Command\(|paginate(\w+)\(/g)].map(([, one, many]) =>
      String(one ?? many),
    );
    expect(called.length).toBeGreaterThan(6);
    const named = [...page.matchAll(/`(\w+):(\w+)`/g)].filter(([, service = ""]) => service in services);
    // HeadBucket needs this permission.
    const wanted = called.map((name) => (name === "HeadBucket" ? "ListBucket" : name));
    expect(wanted.filter((action) => !named.some(([, , each]) => each === action))).toEqual([]);
  });
});
