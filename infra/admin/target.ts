// Connects a command to a data folder or to a stack. The store is imported lazily, so that --help loads no SDK.
import { existsSync } from "node:fs";
import type { Deployed } from "../../lib/format/options.ts";
import type * as WorkspaceStore from "../../lib/store/workspace.ts";
import { awsAdvice, joined } from "./aws-problem.ts";
import { type TargetOptions, UserError, type WorkspaceOptions } from "./command.ts";

/** In these states, no deployment runs: the functions of the stack are those that its outputs describe. */
const stableState = /^(?:CREATE|UPDATE|UPDATE_ROLLBACK|IMPORT|IMPORT_ROLLBACK)_COMPLETE$/;

interface Target {
  /** What the deployed functions read and write; undefined for a data folder. */
  deployed?: Deployed;
  close(): Promise<void>;
}

interface OpenOptions {
  /** Creates a missing folder. */
  create?: boolean;
  /** Works on a table of another format too. */
  anyFormat?: boolean;
}

/** Runs `work` while the environment points to the data folder or the stack. */
export async function withTarget<T>(
  { data, stack }: TargetOptions,
  work: (target: Target) => Promise<T>,
  { create = false, anyFormat = false }: OpenOptions = {},
): Promise<T> {
  const target = stack === undefined ? await openFolder(data, create) : await pointAtStack(stack);
  try {
    const { requireKnownFormat } = await import("../local/known-format.ts");
    if (!anyFormat) await requireKnownFormat();
    return await work(target);
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
  const { output, optional, deployedAt } = await describedStack(name);
  const CELL = optional("Cell") ?? "";
  Object.assign(process.env, { TABLE_NAME: output("TableName"), KMS_KEY_ID: output("KeyId"), CELL });
  const { formatsOf } = await import("../format-outputs.ts");
  const id = String(deployedAt?.getTime());
  const isCurrent = async () => {
    const now = await describedStack(name);
    return now.isStable && String(now.deployedAt?.getTime()) === id;
  };
  return { deployed: { formats: formatsOf(optional), id, isCurrent }, close: async () => {} };
}

/** Reads the outputs of a deployed stack. The returned function throws for one that the stack lacks. */
export async function outputsOf(name: string): Promise<(key: string) => string> {
  return (await describedStack(name)).output;
}

/** As `outputsOf`; the returned function returns undefined for an output that the stack lacks. */
export async function optionalOutputsOf(name: string): Promise<(key: string) => string | undefined> {
  return (await describedStack(name)).optional;
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
  const deployedAt = stack?.LastUpdatedTime ?? stack?.CreationTime;
  return { output, optional, deployedAt, isStable: stableState.test(stack?.StackStatus ?? "") };
}
