// CDK prints a warning and goes on, so nobody sees it in a pipeline. Here each warning is an error, unless it is
// acknowledged with a reason.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { App } from "aws-cdk-lib";
import { SynthesisMessageLevel } from "aws-cdk-lib/cx-api";

/** What the validation plugins write into the folder of the assembly. */
const reportFile = "validation-report.json";

interface Report {
  pluginReports: {
    pluginName: string;
    conclusion: "success" | "failure";
    metadata?: { error?: string };
    /** Without those that were acknowledged. */
    violations: {
      ruleName: string;
      description: string;
      severity: string;
      violatingConstructs: { constructPath: string }[];
    }[];
  }[];
}

/** Synthesizes the app. Throws one error that lists all warnings and errors that nobody has acknowledged. */
export function synthWithoutWarnings(app: App): void {
  // Otherwise a run without a report would use the report of the run before.
  rmSync(join(app.outdir, reportFile), { force: true });
  const { directory, stacksRecursively } = app.synth();
  const annotations = stacksRecursively
    .flatMap(({ messages }) => messages)
    .filter(({ level }) => level !== SynthesisMessageLevel.INFO)
    .map(({ id, entry }) => `${id}: ${entry.data}`);
  const problems = [...annotations, ...violationsIn(join(directory, reportFile))];
  if (problems.length > 0) {
    throw new Error(
      `Correct these, or acknowledge them with a reason (Validations.of(construct).acknowledge):\n- ${problems.join("\n- ")}`,
    );
  }
}

function violationsIn(file: string): string[] {
  if (!existsSync(file)) return [];
  const { pluginReports } = JSON.parse(readFileSync(file, "utf8")) as Report;
  return pluginReports.flatMap(({ pluginName, conclusion, metadata, violations }) => {
    const found = violations
      .filter(({ severity }) => severity !== "info")
      .map(({ ruleName, description, violatingConstructs }) => {
        const places = violatingConstructs.map(({ constructPath }) => constructPath).join(", ");
        return `${places}: ${ruleName}: ${description}`;
      });
    const isFailed = conclusion === "failure" && found.length === 0;
    return isFailed ? [`${pluginName} failed: ${metadata?.error ?? "no reason given"}`] : found;
  });
}
