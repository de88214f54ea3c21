import { type Command, Option } from "commander";
import { AccessType } from "../../lib/schema/primitives.ts";
import { aiVendors, switchNames } from "../../lib/schema/setting-names.ts";
import type { Workspace as WorkspaceRecord } from "../../lib/store/workspace.ts";
import {
  columns,
  type Io,
  nameOption,
  type Output,
  type TargetOptions,
  UserError,
  type WorkspaceOptions,
} from "./command.ts";
import { onTarget, onWorkspace } from "./target.ts";
import { followed, type JobOutput, type WaitOptions, waitOption } from "./wait.ts";

interface CreateOptions extends TargetOptions {
  name: string;
  defaultAccess?: AccessType;
}

interface DeleteOptions extends WorkspaceOptions, WaitOptions {
  yes?: true;
}

export function addWorkspace(program: Command, io: Io): void {
  const group = program.command("workspace").description("create, list, show or delete workspaces");
  const defaultAccess = new Option(
    "--default-access <type>",
    "access type of folders and documents that have no access type of their own",
  );
  const createCommand = group
    .command("create")
    .description("create a workspace and its first auth token; only this command prints the token in full")
    .addOption(nameOption("workspace"))
    .addOption(defaultAccess.choices(AccessType.options));
  onTarget(createCommand, io, create, { create: true });
  onTarget(group.command("list").description("list all workspaces"), io, list);
  const showCommand = group.command("show").description("show a workspace and its settings, without secrets");
  onWorkspace(showCommand, io, show);
  const deleteCommand = group.command("delete").description("permanently delete a workspace and all its data");
  deleteCommand.option("--yes", "confirm the deletion (required)").addOption(waitOption());
  onWorkspace(deleteCommand, io, async (workspace, options: DeleteOptions) => {
    const begun = await remove(workspace, options);
    return followed(io, options, begun.json.job, begun);
  });
}

async function create({ name, defaultAccess }: CreateOptions): Promise<Output> {
  const { createWorkspace } = await import("../../lib/workspace/workspaces.ts");
  const Setting = await import("../../lib/store/setting.ts");
  const AuthToken = await import("../../lib/store/access/auth-token.ts");
  const { apiKey } = await createWorkspace({ name });
  if (defaultAccess) await Setting.update({ workspace: apiKey }, "access", { defaultAccessType: defaultAccess });
  const { authToken } = await AuthToken.create({ workspace: apiKey });
  return { json: { apiKey, authToken }, text: `API key     ${apiKey}\nAuth token  ${authToken}` };
}

async function list(): Promise<Output> {
  const Workspace = await import("../../lib/store/workspace.ts");
  const workspaces = await Workspace.list();
  const rows = workspaces.map(({ apiKey, name, createdAt }) => [apiKey, createdAt, name]);
  return { json: workspaces, text: columns(["API KEY", "CREATED", "NAME"], rows) };
}

async function show({ apiKey, name, createdAt }: WorkspaceRecord): Promise<Output> {
  const Setting = await import("../../lib/store/setting.ts");
  const [{ defaultAccessType }, stored, ai] = await Promise.all([
    Setting.get({ workspace: apiKey }, "access"),
    Setting.get({ workspace: apiKey }, "switches"),
    Setting.get({ workspace: apiKey }, "ai"),
  ]);
  const switches = Object.fromEntries(switchNames.map((each) => [each, stored[each]]));
  const aiKeys = Object.fromEntries(aiVendors.map((vendor) => [vendor, ai[`${vendor}ApiKeySealed`] !== ""]));
  const list = (flags: Record<string, boolean>) => Object.keys(flags).filter((each) => flags[each]);
  const lines = [
    ["API key", apiKey],
    ["Name", name],
    ["Created", createdAt],
    ["Default access", defaultAccessType],
    ["Switched on", list(switches).join(", ") || "none"],
    ["AI keys", list(aiKeys).join(", ") || "none"],
  ];
  const text = lines.map(([label = "", value]) => `${label.padEnd(14)}  ${value}`.trimEnd()).join("\n");
  return { json: { apiKey, name, createdAt, defaultAccessType, switches, aiKeys }, text };
}

async function remove({ apiKey, name }: WorkspaceRecord, { yes }: DeleteOptions): Promise<JobOutput> {
  if (!yes)
    throw new UserError(`This permanently deletes the workspace "${name}" and all its data. Add --yes to confirm.`);
  const { removeWorkspace } = await import("../../lib/workspace/workspaces.ts");
  const AuthToken = await import("../../lib/store/access/auth-token.ts");
  const job = await removeWorkspace({ workspace: apiKey });
  if (job === undefined) throw new UserError("The workspace is already deleted.");
  await AuthToken.revokeAll({ workspace: apiKey });
  const text = `Deleted the workspace. Servers that have just checked its tokens accept them for up to 30 seconds. Job ${job} removes its data.`;
  return { json: { apiKey, deleted: true, job }, text };
}
