// What a rehearsal says about each function.
import { nameOf, namesOf, unusedGrants } from "./aws/labels.ts";
import type { DeployedFunction } from "./aws/template.ts";
import type { Started } from "./rehearsal.ts";
import type { Run } from "./runtime/process.ts";

export interface Row {
  name: string;
  kind: DeployedFunction["declared"]["kind"];
  /** Calls, jobs' batches or scheduled runs. */
  runs: number;
  /** Why it did not pass, beside the denials. */
  problems: string[];
  denials: string[];
  /** Of the permissions that were taken from its role, those that it was denied. */
  missed: string[];
  /** The number of its role's permissions, and those that nothing has used. */
  permissions: number;
  unused: string[];
  /** Statements of its role of which nothing was used. */
  unusedGrants: string[];
  /** From the start of the process to the end of its first run, ms. */
  coldMs: number;
  /** The largest reply, as Lambda measures it. */
  replyBytes: number;
  /** The highest resident memory of its process. */
  peakMb: number | undefined;
  memoryMb: number;
  /** Of Lambda, such as `nodejs24.x`. */
  runtime: string;
}

/** A role without one of its permissions. */
export interface Removal {
  name: string;
  permission: string;
  /** Whether the function was denied the permission then. */
  isDenied: boolean;
}

export function rowOf(deployed: DeployedFunction, { process, session }: Started, runs: Run[], problems: string[]): Row {
  const { role } = deployed;
  const peakMb = process.peakMb();
  const errors = runs.flatMap(({ error }) => (error ? [`${error.type}: ${error.message}`] : []));
  const failures = [...new Set([...problems, ...errors, ...session.unknown])];
  const isTooLarge = peakMb !== undefined && peakMb > deployed.memoryMb;
  return {
    name: deployed.name,
    kind: deployed.declared.kind,
    runs: runs.length,
    problems: [
      ...failures,
      ...(failures.length > 0 ? loggedErrors(process) : []),
      ...(isTooLarge ? [`It took ${peakMb} MB of memory, and has ${deployed.memoryMb}.`] : []),
      ...(runs.length === 0 ? ["It never ran."] : []),
    ],
    denials: [...session.denials],
    missed: [...session.missed],
    permissions: role.length,
    unused: namesOf(role).filter((each) => !session.used.has(each)),
    unusedGrants: unusedGrants(role, session.used),
    coldMs: Math.round(process.initMs + (runs[0]?.ms ?? 0)),
    replyBytes: Math.max(0, ...runs.map(({ bytes }) => bytes)),
    peakMb,
    memoryMb: deployed.memoryMb,
    runtime: deployed.runtime,
  };
}

/** As many of the last errors as a failure needs, with as much of each. */
const loggedMax = 3;
const loggedLength = 1_000;

function loggedErrors({ lines }: Started["process"]): string[] {
  const logged = lines().filter(({ level }) => level === "error");
  return logged.slice(-loggedMax).map(({ message, cause }) => {
    return `It logged ${message}: ${JSON.stringify(cause ?? null).slice(0, loggedLength)}`;
  });
}

/** What a row of a function that passes has. */
export const passed = { problems: [], denials: [] };

export const isPassed = ({ problems, denials }: Row) => problems.length === 0 && denials.length === 0;

/** One row for each function. What one of its rows has used is used. */
export function merged(rows: readonly Row[]): Row[] {
  return [...Map.groupBy(rows, ({ name }) => name).values()].map((same) => same.reduce(mergedWith));
}

function mergedWith(one: Row, other: Row): Row {
  const all = (values: (row: Row) => string[]) => [...new Set([...values(one), ...values(other)])];
  return {
    ...one,
    runs: one.runs + other.runs,
    problems: all(({ problems }) => problems),
    denials: all(({ denials }) => denials),
    missed: all(({ missed }) => missed),
    unused: one.unused.filter((each) => other.unused.includes(each)),
    unusedGrants: one.unusedGrants.filter((each) => other.unusedGrants.includes(each)),
    replyBytes: Math.max(one.replyBytes, other.replyBytes),
    peakMb: Math.max(one.peakMb ?? 0, other.peakMb ?? 0) || undefined,
  };
}

const headings = [
  ...["function", "passed", "runs", "denials", "cold ms", "reply bytes", "memory MB", "permissions"],
  "not used",
];

/** The table of all functions. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const memory = `${row.peakMb ?? "?"} of ${row.memoryMb}`;
    const cells = [row.name, isPassed(row) ? "yes" : "NO", row.runs, row.denials.join(", ") || 0];
    return [...cells, row.coldMs, row.replyBytes, memory, row.permissions, row.unused.join(", ")].map(String);
  });
  const widths = headings.map((heading, index) =>
    Math.max(...[heading, ...lines.map((line) => line[index] ?? "")].map((text) => text.length)),
  );
  const padded = (cells: string[]) => cells.map((cell, index) => cell.padEnd(widths[index] ?? 0));
  return [headings, ...lines].map((cells) => padded(cells).join("  ").trimEnd()).join("\n");
}

/** The numbers below the table. `total`: how many functions the stack has. */
export function countsOf(rows: readonly Row[], removals: readonly Removal[], total: number): string {
  const sum = (count: (row: Row) => number) => rows.reduce((all, row) => all + count(row), 0);
  const share = (some: readonly Row[]) => `${some.filter(isPassed).length} of ${some.length}`;
  const endpoints = rows.filter(({ kind }) => kind === "endpoint");
  const workers = rows.filter(({ kind }) => kind !== "endpoint");
  const permissions = sum((row) => row.permissions);
  const used = permissions - sum(({ unused }) => unused.length);
  const lines = [
    `Passed: ${share(endpoints)} endpoints and ${share(workers)} workers, in ${sum(({ runs }) => runs)} runs.`,
    `Denied: ${sum(({ denials }) => denials.length)} permissions.`,
    `Used: ${used} of ${permissions} permissions.`,
  ];
  if (rows.length < total) lines.push(`Not run: ${total - rows.length} of ${total} functions.`);
  lines.push(...removalsOf(removals));
  const runtimes = [...new Set(rows.map(({ runtime }) => runtime))].join(", ");
  lines.push(`Node ${process.versions.node} ran them. Lambda's runtime is ${runtimes}.`);
  return lines.join("\n");
}

/** The lines about the permissions that were taken from roles. */
export function removalsOf(removals: readonly Removal[]): string[] {
  if (removals.length === 0) return [];
  const survived = removals.filter(({ isDenied }) => !isDenied);
  return [
    `Taken away: ${removals.length} permissions. ${survived.length} were not missed.`,
    ...survived.map(({ name, permission }) => `  Not missed: ${permission} of ${name}`),
  ];
}

/** Permissions that are twice in a role: to remove one of them would change nothing. */
export function repeated({ role }: DeployedFunction): string[] {
  const names = role.map(nameOf);
  return names.filter((name, index) => names.indexOf(name) !== index);
}
