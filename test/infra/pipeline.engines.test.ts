// What the scripts of the pipeline do that infra/DEPLOYMENT.md shows as an example.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fakes } from "../support/fake-functions.ts";
import { deployment, place, steps } from "../support/pipeline.ts";
import { synth } from "../support/synth.ts";

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
});
