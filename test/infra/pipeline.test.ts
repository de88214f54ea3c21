// The pipeline that infra/DEPLOYMENT.md shows as an example.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { alarmTable } from "../../infra/watch/alarm-table.ts";
import { documentText } from "../support/documents.ts";
import { fakes } from "../support/fake-functions.ts";
import { sources } from "../support/sources.ts";
import { synth } from "../support/synth.ts";

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

interface Raised {
  /** Raised when the deployment begins. */
  before?: string[];
  /** Raised at some time after that, and over when the pipeline looks. */
  since?: string[];
  /** What DynamoDB says of the table's indexes when it is asked the first, second, … time after the deployment. */
  states?: string[];
  isOtherIndex?: boolean;
}

/** Runs both steps that ask for alarms, for stack `s`, whose output names three alarms. */
function watched({ before = [], since = [], states = ["ACTIVE"], isOtherIndex = false }: Raised) {
  const folder = mkdtempSync(join(tmpdir(), "pipeline-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const list = steps[place(/describe-alarms/)]?.run;
  const listIndexes = steps[place(/\/indexes"$/m)]?.run;
  const wait = steps[place(/sleep 30/)]?.run;
  const watch = steps[place(/sleep 60/)]?.run;
  const script = `sleep() { if [ "$1" = 30 ]; then echo waits; fi; }
aws() {
  case "$2" in
    describe-stacks) if [[ $* == *ReleaseAlarms* ]]; then echo s-a-1 s-b-1 s-alarmssweeper-1; else echo table; fi ;;
    describe-table)
      [ "$4" = table ]
      if [[ $6 == *IndexName* ]]; then echo "$INDEX"; return; fi
      state=$(head -n 1 "$STATES")
      sed -i 1d "$STATES"
      if [ "$state" = fails ]; then return 1; fi
      echo "$state" ;;
    describe-alarms) printf '%s' "$BEFORE" ;;
    describe-alarm-history)
      [ "$3 $5 $6 $7 $8" = "--alarm-name --history-item-type StateUpdate --start-date $DEPLOYED" ]
      if grep -qxF "$4" <<< "$SINCE"; then echo "$4"; fi ;;
    *) exit 9 ;;
  esac
}
${list}
. "$GITHUB_ENV"
[ -n "$DEPLOYED" ]
INDEX=due
${listIndexes}
INDEX=$AFTER
${wait}
${watch}`;
  const lines = (names: readonly string[]) => names.map((name) => `${name}\n`).join("");
  writeFileSync(join(folder, "states"), lines(states));
  const env = {
    ...{ PATH: process.env.PATH, STACK: "s", RUNNER_TEMP: folder, GITHUB_ENV: join(folder, "env") },
    ...{ STATES: join(folder, "states"), AFTER: isOtherIndex ? "sweep" : "due" },
    ...{ BEFORE: lines(before), SINCE: lines(since) },
  };
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

  it("fails for an alarm of a release that was raised since the deployment, also if it is over, and for no other", () => {
    const quiet = { status: 0, stdout: "", stderr: "" };
    expect(watched({})).toEqual(quiet);
    expect(watched({ before: ["s-a-1"], since: ["s-a-1"] })).toEqual(quiet);
    expect(watched({ since: ["s-lambda-throttles-1", "s-2-a-1"] })).toEqual(quiet);
    const raised = { ...quiet, status: 1, stdout: "Raised since the deployment: s-b-1\n" };
    expect(watched({ before: ["s-a-1"], since: ["s-b-1"] })).toEqual(raised);
  });

  it("waits until each index is complete before it tests and watches, also if a question fails", () => {
    expect(place(/sleep 30/)).toBeGreaterThan(place(deployment));
    expect(place(/sleep 30/)).toBeLessThan(place(/^npm run smoke/));
    const waited = watched({ states: ["CREATING", "fails", "ACTIVE"] });
    expect(waited).toEqual({ status: 0, stdout: "waits\nwaits\n", stderr: "" });
  });

  it("does not go back for the sweeper's alarm in a run that changes the indexes, and in all other runs it does", () => {
    const since = ["s-alarmssweeper-1"];
    expect(watched({ since, isOtherIndex: true })).toMatchObject({ status: 0 });
    expect(watched({ since })).toMatchObject({ status: 1 });
    expect(watched({ since: [...since, "s-b-1"], isOtherIndex: true })).toMatchObject({ status: 1 });
    const ids = synth(fakes)
      .all("AWS::CloudWatch::Alarm")
      .map(([id]) => id);
    expect(ids.filter((id) => id.startsWith("alarmssweeper"))).toHaveLength(1);
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
