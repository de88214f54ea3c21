// Where a command works. The store is loaded only here and behind: help needs no SDK.
import { existsSync } from "node:fs";
import type * as WorkspaceStore from "../../lib/store/workspace.ts";
import { Refusal, type TargetOptions, type WorkspaceOptions } from "./command.ts";

type Close = () => Promise<void>;

/** Does `work` with the environment pointing at the data folder or the stack. Only `create` makes a folder. */
export async function onTarget<T>(
  { data, stack }: TargetOptions,
  work: () => Promise<T>,
  { create = false }: { create?: boolean } = {},
): Promise<T> {
  const close = stack === undefined ? await openFolder(data, create) : await pointAtStack(stack);
  try {
    return await work();
  } finally {
    await close();
  }
}

/** The same, with the record of the workspace that the options name. */
export function inWorkspace<T>(
  options: WorkspaceOptions,
  work: (workspace: WorkspaceStore.Workspace) => Promise<T>,
): Promise<T> {
  return onTarget(options, async () => {
    const Workspace = await import("../../lib/store/workspace.ts");
    // An empty string is no key of the table's; it is what an unset shell variable leaves.
    const found = options.workspace === "" ? undefined : await Workspace.get(options.workspace);
    if (!found) throw new Refusal(`There is no workspace "${options.workspace}" here. \`workspace list\` shows all.`);
    return work(found);
  });
}

async function openFolder(dir: string, create: boolean): Promise<Close> {
  if (!create && !existsSync(dir)) {
    throw new Refusal(`There is no data folder ${dir}. \`npm start\` and \`workspace create\` make one.`);
  }
  const { dataFolder } = await import("../local/data-folder.ts");
  const folder = dataFolder(dir);
  const { openEngines } = await import("../local/engines.ts");
  return (await openEngines(folder)).close;
}

async function pointAtStack(name: string): Promise<Close> {
  const { CloudFormationClient, DescribeStacksCommand } = await import("@aws-sdk/client-cloudformation");
  const client = new CloudFormationClient({});
  const described = client.send(new DescribeStacksCommand({ StackName: name })).catch((cause: Error) => {
    // Among these: no credentials, no region, no such stack.
    throw new Refusal(`The stack ${name} cannot be read: ${cause.message}`, { cause });
  });
  const outputs = (await described).Stacks?.[0]?.Outputs ?? [];
  const output = (key: string) => {
    const value = outputs.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
    if (!value) throw new Refusal(`The stack ${name} has no output ${key}: it is none of this service, or unfinished.`);
    return value;
  };
  Object.assign(process.env, { TABLE_NAME: output("TableName"), KMS_KEY_ID: output("KeyId") });
  return async () => client.destroy();
}
