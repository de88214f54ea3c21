// What a rehearsal says about each function.
import { namesOf } from "./aws/labels.ts";
import type { Session } from "./aws/session.ts";
import type { DeployedFunction } from "./aws/template.ts";
import type { Started } from "./rehearsal.ts";
import type { Run } from "./runtime/process.ts";

export interface Row {
  name: string;
  /** Calls or invocations. */
  runs: number;
  /** Why it did not pass. */
  problems: string[];
  denials: string[];
  /** Permissions of its role that nothing has used. */
  unused: string[];
  /** From the start of the process to the end of its first run, ms. */
  coldMs: number;
  /** The largest reply, as Lambda measures it. */
  replyBytes: number;
  /** The highest resident memory of its process. */
  peakMb: number | undefined;
  memoryMb: number;
}

/** `sessions`: of all its processes. `first`: the one that made the first run. */
export function rowOf(
  deployed: DeployedFunction,
  sessions: Session[],
  first: Started,
  runs: Run[],
  problems: string[],
) {
  const used = new Set(sessions.flatMap((each) => [...each.used]));
  const peakMb = first.process.peakMb();
  const errors = runs.flatMap(({ error }) => (error ? [`${error.type}: ${error.message}`] : []));
  const tooLarge = peakMb !== undefined && peakMb > deployed.memoryMb ? [`It took ${peakMb} MB of memory.`] : [];
  return {
    name: deployed.name,
    runs: runs.length,
    problems: [...problems, ...errors, ...sessions.flatMap((each) => [...each.unknown]), ...tooLarge],
    denials: [...new Set(sessions.flatMap((each) => [...each.denials]))],
    unused: namesOf(deployed.role).filter((each) => !used.has(each)),
    coldMs: Math.round(first.process.initMs + (runs[0]?.ms ?? 0)),
    replyBytes: Math.max(0, ...runs.map(({ bytes }) => bytes)),
    peakMb,
    memoryMb: deployed.memoryMb,
  };
}

const headings = ["function", "passed", "denials", "cold ms", "reply bytes", "memory MB", "permissions not used"];

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const isPassed = row.problems.length === 0 && row.denials.length === 0;
    const memory = `${row.peakMb ?? "?"} of ${row.memoryMb}`;
    const cells = [row.name, isPassed ? "yes" : "NO", row.denials.join(", ") || 0, row.coldMs, row.replyBytes, memory];
    return [...cells, row.unused.join(", ")].map(String);
  });
  const widths = headings.map((heading, index) =>
    Math.max(...[heading, ...lines.map((l) => l[index] ?? "")].map((t) => t.length)),
  );
  return [headings, ...lines]
    .map((cells) =>
      cells
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
