import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { defectsOfAdopted } from "./adopted.ts";
import { lossesOf } from "./compare.ts";
import { concurrencyProblems } from "./concurrency.ts";
import { deployedStack } from "./deployed.ts";
import { formatProblems } from "./format.ts";
import { listenerWarnings } from "./listeners.ts";
import { changedSettings, changeText, settingsProblems } from "./settings.ts";
import type { Template } from "./template.ts";

const help = `Usage: npm run guard -- [options]

Compares a synthesized template with the deployed stack, with the AWS credentials and the region of your environment.
Fails when a deployment would replace, drop or stop using the table, the key or the bucket, when an existing one that the
template adopts is not as the service needs it, when the code cannot read the items of the table, when a setting of the
deployed stack is missing, or when the workers could take all executions of the account. Prints the settings that change,
and warns when the alarms tell nobody. Changes nothing.

Options:
  --app DIR     the folder that cdk synth wrote (default: cdk.out)
  --stack NAME  the stack to check, if the folder has several
  --first       there is no stack of this name yet
  --back        the template is of an earlier release: refuse each setting that would change
  --changed NAMES       settings, separated by commas, that may change with --back, or may be missing
  --write-changed FILE  write the names of the settings that change, separated by commas
  --few-executions      deploy in an account whose executions do not suffice for workers and calls
  --help        display this help
`;

interface Io {
  print(text: string): void;
  printError(text: string): void;
}

/** Runs the guard. Returns the exit status: 0 when the template can be deployed. */
export async function guard(args: readonly string[], { print, printError }: Io): Promise<number> {
  try {
    const options = {
      app: { type: "string", default: "cdk.out" },
      stack: { type: "string" },
      first: { type: "boolean", default: false },
      back: { type: "boolean", default: false },
      changed: { type: "string", default: "" },
      "write-changed": { type: "string" },
      "few-executions": { type: "boolean", default: false },
      help: { type: "boolean" },
    } as const;
    const { values } = parseArgs({ args: [...args], options });
    if (values.help) {
      print(help);
      return 0;
    }
    const { name, template } = synthesized(values.app, values.stack);
    const { problems, warnings, changes, place } = await findings(name, template, values);
    for (const change of changes) print(`${changeText(change)}\n`);
    for (const warning of warnings) printError(`Warning: ${warning}\n`);
    const file = values["write-changed"];
    if (file) writeFileSync(file, changes.map((change) => change.name).join(","));
    if (problems.length === 0) {
      const what = values.first ? "can be created" : "keeps its table, its key and its bucket";
      print(`The stack ${name} in ${place} ${what}.\n`);
      return 0;
    }
    printError(`Do not deploy the stack ${name}:\n${problems.map((each) => `- ${each}\n`).join("")}`);
  } catch (thrown) {
    printError(`The guard could not check the stack, so do not deploy it: ${(thrown as Error).message}\n`);
  }
  return 1;
}

interface Options {
  first: boolean;
  back: boolean;
  changed: string;
  "few-executions": boolean;
}

async function findings(name: string, next: Template, options: Options) {
  const stack = await deployedStack(name);
  const { template: deployed, physicalIds, ...where } = stack;
  const place = where.region + (where.account ? ` (account ${where.account})` : "");
  const changes = changedSettings(deployed, next);
  // A limit of the account is no reason to keep a release that does not work.
  const isCounted = !options.back && !options["few-executions"];
  const [warnings, ...found] = await Promise.all([
    listenerWarnings(next, stack),
    existenceProblems(name, place, deployed !== undefined, options.first),
    lossesOf({ deployed, next, physicalIds }),
    defectsOfAdopted(next, where),
    formatProblems(next, deployed, physicalIds),
    settingsProblems(changes, { isBack: options.back, changed: options.changed.split(",") }),
    isCounted ? concurrencyProblems(next) : [],
  ]);
  return { problems: found.flat(), warnings, changes, place };
}

/** With another region, account or name than those of the deployment, the guard would find no stack to compare with. */
function existenceProblems(name: string, place: string, isDeployed: boolean, isFirst: boolean): string[] {
  if (isDeployed && isFirst) return [`The stack ${name} exists in ${place}. Leave out --first.`];
  if (isDeployed || isFirst) return [];
  return [
    `There is no stack ${name} in ${place} that has ever worked. Check the name, the region and the credentials. If this is its first deployment, add --first.`,
  ];
}

/** The template of the stack in the folder that `cdk synth` wrote. */
function synthesized(folder: string, wanted: string | undefined): { name: string; template: Template } {
  const { artifacts = {} }: Manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === "aws:cloudformation:stack");
  const found = stacks.filter(([id, { properties }]) => !wanted || wanted === (properties?.stackName ?? id));
  const [[id = "", { properties = {} } = {}] = []] = found;
  const names = stacks.map(([each]) => each).join(", ");
  if (found.length !== 1) throw new Error(`${folder} has the stacks ${names}. Name one of them with --stack.`);
  const file = join(folder, properties.templateFile ?? `${id}.template.json`);
  return { name: properties.stackName ?? id, template: JSON.parse(readFileSync(file, "utf8")) };
}

interface Manifest {
  artifacts?: Record<string, { type: string; properties?: { stackName?: string; templateFile?: string } }>;
}
