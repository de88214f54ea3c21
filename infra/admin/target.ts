// Connects a command to a data folder or to a stack. The store is imported lazily, so that --help loads no SDK.
import { existsSync } from "node:fs";
import type * as WorkspaceStore from "../../lib/store/workspace.ts";
import { type TargetOptions, UserError, type WorkspaceOptions } from "./command.ts";

type Close = () => Promise<void>;

/** Runs `work` while the environment points to the data folder or the stack. `create` creates a missing folder. */
export async function withTarget<T>(
  { data, stack }: TargetOptions,
  work: () => Promise<T>,
  { create = false }: { create?: boolean } = {},
): Promise<T> {
  const close = stack === undefined ? await openFolder(data, create) : await pointAtStack(stack);
  try {
    const { requireKnownFormat } = await import("../local/known-format.ts");
    await requireKnownFormat();
    return await work();
  } finally {
    await close();
  }
}

/** As `withTarget`, with the record of the workspace that the options name. */
export function withWorkspace<T>(
  options: WorkspaceOptions,
  work: (workspace: WorkspaceStore.Workspace) => Promise<T>,
): Promise<T> {
  return withTarget(options, async () => {
    const Workspace = await import("../../lib/store/workspace.ts");
    // DynamoDB rejects an empty key. An unset shell variable gives an empty option.
    const found = options.workspace === "" ? undefined : await Workspace.get({ workspace: options.workspace });
    if (!found)
      throw new UserError(
        `There is no workspace "${options.workspace}". Run \`workspace list\` to see all workspaces.`,
      );
    return work(found);
  });
}

async function openFolder(dir: string, create: boolean): Promise<Close> {
  if (!create && !existsSync(dir)) {
    throw new UserError(
      `There is no data folder ${dir}. Check --data, or create the folder with \`npm start\` or \`workspace create\`.`,
    );
  }
  const { dataFolder } = await import("../local/data-folder.ts");
  const folder = dataFolder(dir);
  const { openEngines } = await import("../local/engines.ts");
  return (await openEngines(folder)).close;
}

async function pointAtStack(name: string): Promise<Close> {
  const output = await outputsOf(name);
  Object.assign(process.env, { TABLE_NAME: output("TableName"), KMS_KEY_ID: output("KeyId") });
  return async () => {};
}

/** Reads the outputs of a deployed stack. The returned function throws for one that the stack lacks. */
export async function outputsOf(name: string): Promise<(key: string) => string> {
  const { CloudFormationClient, DescribeStacksCommand } = await import("@aws-sdk/client-cloudformation");
  const client = new CloudFormationClient({});
  const description = client.send(new DescribeStacksCommand({ StackName: name })).catch((cause: Error) => {
    // Usual causes: no credentials, no region, or no such stack.
    throw new UserError(`The stack ${name} cannot be read: ${cause.message}`, { cause });
  });
  const outputs = (await description.finally(() => client.destroy())).Stacks?.[0]?.Outputs ?? [];
  return (key) => {
    const value = outputs.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
    if (!value) {
      throw new UserError(
        `The stack ${name} has no output ${key}. Either it is not a stack of this service, or its deployment has not finished.`,
      );
    }
    return value;
  };
}
