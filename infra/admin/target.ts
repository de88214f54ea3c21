// Connects a command to a data folder or to a stack. The store is imported lazily, so that --help loads no SDK.
import { existsSync } from "node:fs";
import type { Command } from "commander";
import type * as WorkspaceStore from "../../lib/store/workspace.ts";
import { awsAdvice, joined } from "./aws-problem.ts";
import {
  type Action,
  addAction,
  addWorkspaceAction,
  type Io,
  type Output,
  type TargetOptions,
  UserError,
  type WorkspaceOptions,
} from "./command.ts";

interface Target {
  close(): Promise<void>;
}

interface OpenOptions {
  /** Creates a missing folder. */
  create?: boolean;
}

/** Runs `work` while the environment points to the data folder or the stack. */
export async function withTarget<T>(
  { data, stack }: TargetOptions,
  work: () => Promise<T>,
  { create = false }: OpenOptions = {},
): Promise<T> {
  const target = stack === undefined ? await openFolder(data, create) : await pointAtStack(stack);
  try {
    const { requireKnownFormat } = await import("../local/known-format.ts");
    await requireKnownFormat();
    return await work();
  } finally {
    await target.close();
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

/** Gives a command an action that runs with `withTarget`. */
export function onTarget<Options extends TargetOptions>(
  command: Command,
  io: Io,
  action: Action<Options>,
  open?: OpenOptions,
): void {
  addAction<Options>(command, io, (options, ...rest) => withTarget(options, () => action(options, ...rest), open));
}

/** Gives a command an action that runs with `withWorkspace`. */
export function onWorkspace<Options extends WorkspaceOptions>(
  command: Command,
  io: Io,
  action: (workspace: WorkspaceStore.Workspace, options: Options, ...declared: never[]) => Promise<Output>,
): void {
  addWorkspaceAction<Options>(command, io, (options, ...rest) =>
    withWorkspace(options, (workspace) => action(workspace, options, ...rest)),
  );
}

async function openFolder(dir: string, create: boolean): Promise<Target> {
  const { databasePath } = await import("../local/files.ts");
  if (!create && !existsSync(process.env.DYNAMODB_ENDPOINT ? dir : databasePath(dir))) {
    throw new UserError(
      `${dir} is no data folder: it has no table. Check --data, or create a folder with \`npm start\` or \`workspace create\`.`,
    );
  }
  const { dataFolder } = await import("../local/data-folder.ts");
  const folder = dataFolder(dir);
  const { openEngines } = await import("../local/engines.ts");
  return openEngines(folder);
}

async function pointAtStack(name: string): Promise<Target> {
  const { output, optional } = await describedStack(name);
  const CELL = optional("Cell") ?? "";
  Object.assign(process.env, { TABLE_NAME: output("TableName"), KMS_KEY_ID: output("KeyId"), CELL });
  return { close: async () => {} };
}

/** Reads the outputs of a deployed stack. The returned function throws for one that the stack lacks. */
export async function outputsOf(name: string): Promise<(key: string) => string> {
  return (await describedStack(name)).output;
}

async function describedStack(name: string) {
  const { CloudFormationClient, DescribeStacksCommand } = await import("@aws-sdk/client-cloudformation");
  const client = new CloudFormationClient({});
  const description = client.send(new DescribeStacksCommand({ StackName: name })).catch((cause: Error) => {
    throw new UserError(joined(`The stack ${name} cannot be read: ${cause.message}`, awsAdvice(cause)), { cause });
  });
  const [stack] = (await description.finally(() => client.destroy())).Stacks ?? [];
  const optional = (key: string) => stack?.Outputs?.find(({ OutputKey }) => OutputKey === key)?.OutputValue;
  const output = (key: string) => {
    const value = optional(key);
    if (!value) {
      throw new UserError(
        `The stack ${name} has no output ${key}. Either it is not a stack of this service, or its deployment has not finished.`,
      );
    }
    return value;
  };
  return { output, optional };
}
