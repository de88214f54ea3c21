import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { defectsOfAdopted } from "./adopted.ts";
import { lossesOf } from "./compare.ts";
import { deployedStack } from "./deployed.ts";
import type { Template } from "./template.ts";

const help = `Usage: npm run guard -- [options]

Compares a synthesized template with the deployed stack, with the AWS credentials and the region of your environment.
Fails when a deployment would replace, drop or stop using the table, the key or the bucket, or when an existing one that
the template adopts is not as the service needs it. Changes nothing.

Options:
  --app DIR     the folder that cdk synth wrote (default: cdk.out)
  --stack NAME  the stack to check, if the folder has several
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
      help: { type: "boolean" },
    } as const;
    const { values } = parseArgs({ args: [...args], options });
    if (values.help) {
      print(help);
      return 0;
    }
    const { name, template } = synthesized(values.app, values.stack);
    const problems = await problemsOf(name, template);
    if (problems.length === 0) {
      print(`The stack ${name} keeps its table, its key and its bucket.\n`);
      return 0;
    }
    printError(`Do not deploy the stack ${name}:\n${problems.map((each) => `- ${each}\n`).join("")}`);
  } catch (thrown) {
    printError(`The guard could not check the stack, so do not deploy it: ${(thrown as Error).message}\n`);
  }
  return 1;
}

async function problemsOf(name: string, next: Template): Promise<string[]> {
  const { template: deployed, physicalIds, ...place } = await deployedStack(name);
  return [...lossesOf({ deployed, next, physicalIds }), ...(await defectsOfAdopted(next, place))];
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
