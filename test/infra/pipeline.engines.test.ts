// What the scripts of infra/examples/pipeline.yml do.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { place, steps } from "../support/pipeline.ts";

interface Raised {
  /** Raised when the deployment begins. */
  before?: string[];
  /** Raised at some time after that, and over when the pipeline looks. */
  since?: string[];
}

/** Runs both steps that ask for alarms, for stack `s`, whose output names three alarms. */
function watched({ before = [], since = [] }: Raised) {
  const folder = mkdtempSync(join(tmpdir(), "pipeline-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const list = steps[place(/describe-alarms/)]?.run;
  const watch = steps[place(/sleep 60/)]?.run;
  const script = `sleep() { :; }
aws() {
  case "$2" in
    describe-stacks) echo s-a-1 s-b-1 s-alarmssweeper-1 ;;
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
${watch}`;
  const lines = (names: readonly string[]) => names.map((name) => `${name}\n`).join("");
  const env = {
    ...{ PATH: process.env.PATH, STACK: "s", RUNNER_TEMP: folder, GITHUB_ENV: join(folder, "env") },
    ...{ BEFORE: lines(before), SINCE: lines(since) },
  };
  const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-eo", "pipefail", "-c", script], {
    encoding: "utf8",
    env,
  });
  return { status, stdout, stderr };
}

describe("the pipeline", () => {
  it("fails for an alarm of a release that was raised since the deployment, also if it is over, and for no other", () => {
    const quiet = { status: 0, stdout: "", stderr: "" };
    expect(watched({})).toEqual(quiet);
    expect(watched({ before: ["s-a-1"], since: ["s-a-1"] })).toEqual(quiet);
    expect(watched({ since: ["s-lambda-throttles-1", "s-2-a-1"] })).toEqual(quiet);
    const raised = { ...quiet, status: 1, stdout: "Raised since the deployment: s-b-1\n" };
    expect(watched({ before: ["s-a-1"], since: ["s-b-1"] })).toEqual(raised);
  });
});
