// Finds errors at synth that would otherwise fail in the middle of a deployment, or at the first call.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { grantActions } from "../../lib/grants.ts";
import { allPurposes } from "../../lib/purposes.ts";
import { catchAllPath, type Deployable, sourceQueueOf } from "../deployables.ts";

/** API Gateway's quota of routes and of integrations in one API. */
const endpointsMax = 300;

/** Throws one error that lists all problems of the declarations and their bundles. */
export function check(deployables: readonly Deployable[], assets: string): void {
  const distinct: Record<string, (each: Deployable) => string | undefined> = {
    name: ({ name }) => name,
    path: (each) => (each.kind === "endpoint" ? each.path : undefined),
    queue: sourceQueueOf,
  };
  const problems = [
    ...Object.entries(distinct).flatMap(([what, of]) => repeated(what, deployables.map(of))),
    ...deployables.flatMap((each) =>
      problemsOf(each, deployables, assets).map((problem) => `${each.name}: ${problem}`),
    ),
  ];
  const endpoints = deployables.filter((each) => each.kind === "endpoint");
  if (!endpoints.some((each) => each.path === catchAllPath)) {
    problems.push(`no endpoint has the path ${catchAllPath}, so replies to unknown paths would lack the envelope`);
  }
  if (endpoints.length > endpointsMax) {
    problems.push(`${endpoints.length} endpoints are more than the ${endpointsMax} routes of an API`);
  }
  if (problems.length) throw new Error(`The functions cannot be deployed:\n- ${problems.join("\n- ")}`);
}

function problemsOf(each: Deployable, deployables: readonly Deployable[], assets: string): string[] {
  const problems: string[] = [];
  const addIf = (isWrong: boolean, problem: string) => isWrong && problems.push(problem);
  // API Gateway's limit is 30 s. A Lambda function has one second more than its call, to return DEADLINE_EXCEEDED.
  const timeoutMax = each.kind === "endpoint" ? 28 : 900;
  addIf(!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(each.name), "its name is not kebab-case");
  addIf(each.summary.length > 256, "its summary is longer than 256 characters, Lambda's limit for a description");
  addIf(!isWhole(each.timeoutSeconds, 1, timeoutMax), `timeoutSeconds must be 1 to ${timeoutMax}`);
  addIf(!isWhole(each.memoryMb, 128, 10_240), "memoryMb must be 128 to 10240");
  addIf(each.kind === "schedule" && !isWhole(each.everyMinutes, 1, 1_440), "everyMinutes must be 1 to 1440");
  addIf(new Set(each.grants).size < each.grants.length, "a grant is listed twice");
  for (const grant of each.grants) {
    const [what, which, purpose] = grant.split(":");
    const kind = what === "queue" ? which : undefined;
    const isServed = deployables.some((other) => other.kind === "queue" && other.jobs === kind);
    addIf(kind !== undefined && !isServed, `it is granted ${grant}, but no worker takes jobs of this kind`);
    addIf(kind === undefined && !isKnown(`${what}:${which}`, purpose), `the grant ${grant} is unknown`);
  }
  const scripts = each.kind === "endpoint" ? [] : Object.keys(each.scripts);
  for (const name of ["index", ...scripts]) {
    const bundle = join(assets, each.name, `${name}.mjs`);
    addIf(!existsSync(bundle), `its bundle ${bundle} is missing`);
  }
  return problems;
}

/** A grant of the key has a purpose, and no other grant has one. */
function isKnown(action: string, purpose: string | undefined): boolean {
  const isPurpose = allPurposes.some((each) => each === purpose);
  return action in grantActions && (action.startsWith("key:") ? isPurpose : purpose === undefined);
}

function repeated(what: string, values: readonly (string | undefined)[]): string[] {
  const twice = values.filter((value, index) => value !== undefined && values.indexOf(value) < index);
  return [...new Set(twice)].map((value) => `the ${what} ${value} is declared twice`);
}

function isWhole(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
