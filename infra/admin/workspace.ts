import { type Command, Option } from "commander";
import { AccessType } from "../../lib/schema/primitives.ts";
import { aiVendors, switchNames } from "../../lib/schema/setting-names.ts";
import type { Workspace as WorkspaceRecord } from "../../lib/store/workspace.ts";
import {
  type Answer,
  columns,
  type Io,
  nameOption,
  Refusal,
  runs,
  runsOnWorkspace,
  type TargetOptions,
  type WorkspaceOptions,
} from "./command.ts";
import { inWorkspace, onTarget } from "./target.ts";

interface CreateOptions extends TargetOptions {
  name: string;
  defaultAccess?: AccessType;
}

interface DeleteOptions extends WorkspaceOptions {
  yes?: true;
}

export function addWorkspace(program: Command, io: Io): void {
  const noun = program.command("workspace").description("create, list, show or delete workspaces");
  const defaultAccess = new Option("--default-access <type>", "access type of what has none of its own");
  const creation = noun
    .command("create")
    .description("create a workspace and its first auth token, which is shown only now")
    .addOption(nameOption("workspace"))
    .addOption(defaultAccess.choices(AccessType.options));
  runs(creation, io, (options: CreateOptions) => onTarget(options, () => create(options), { create: true }));
  runs(noun.command("list").description("list all workspaces"), io, (options) => onTarget(options, list));
  const showing = noun.command("show").description("show a workspace and its settings, without secrets");
  runsOnWorkspace(showing, io, (options) => inWorkspace(options, show));
  const deletion = noun.command("delete").description("delete a workspace with all that it holds, for good");
  runsOnWorkspace(deletion.option("--yes", "really"), io, (options: DeleteOptions) =>
    inWorkspace(options, (workspace) => remove(workspace, options)),
  );
}

async function create({ name, defaultAccess }: CreateOptions): Promise<Answer> {
  const Workspace = await import("../../lib/store/workspace.ts");
  const Setting = await import("../../lib/store/setting.ts");
  const AuthToken = await import("../../lib/store/auth-token.ts");
  const { apiKey } = await Workspace.create({ name });
  if (defaultAccess) await Setting.update(apiKey, "access", { defaultAccessType: defaultAccess });
  const { authToken } = await AuthToken.create(apiKey);
  return { json: { apiKey, authToken }, text: `API key     ${apiKey}\nAuth token  ${authToken}` };
}

async function list(): Promise<Answer> {
  const Workspace = await import("../../lib/store/workspace.ts");
  const workspaces = await Workspace.list();
  const rows = workspaces.map(({ apiKey, name, createdAt }) => [apiKey, createdAt, name]);
  return { json: workspaces, text: columns(["API KEY", "CREATED", "NAME"], rows) };
}

async function show({ apiKey, name, createdAt }: WorkspaceRecord): Promise<Answer> {
  const Setting = await import("../../lib/store/setting.ts");
  const [{ defaultAccessType }, stored, ai] = await Promise.all([
    Setting.get(apiKey, "access"),
    Setting.get(apiKey, "switches"),
    Setting.get(apiKey, "ai"),
  ]);
  const switches = Object.fromEntries(switchNames.map((each) => [each, stored[each]]));
  const aiKeys = Object.fromEntries(aiVendors.map((vendor) => [vendor, ai[`${vendor}ApiKeySealed`] !== ""]));
  const list = (flags: Record<string, boolean>) => Object.keys(flags).filter((each) => flags[each]);
  const lines = [
    ["API key", apiKey],
    ["Name", name],
    ["Created", createdAt],
    ["Default access", defaultAccessType],
    ["Switched on", list(switches).join(", ") || "nothing"],
    ["AI keys", list(aiKeys).join(", ") || "none"],
  ];
  const text = lines.map(([label = "", value]) => `${label.padEnd(14)}  ${value}`.trimEnd()).join("\n");
  return { json: { apiKey, name, createdAt, defaultAccessType, switches, aiKeys }, text };
}

async function remove({ apiKey, name }: WorkspaceRecord, { yes }: DeleteOptions): Promise<Answer> {
  if (!yes) throw new Refusal(`This deletes the workspace "${name}" with all its data, for good: add --yes.`);
  const { workspacePurgeJob } = await import("../../lib/deletion/purge.ts");
  const Workspace = await import("../../lib/store/workspace.ts");
  const AuthToken = await import("../../lib/store/auth-token.ts");
  const job = workspacePurgeJob(apiKey);
  if (!(await Workspace.remove(apiKey, job))) throw new Refusal("The workspace has just been deleted.");
  await AuthToken.revokeAll(apiKey);
  const text = `Deleted. Servers that know its tokens may accept them for 30 seconds more. Job ${job.id} removes its data.`;
  return { json: { apiKey, deleted: true, job: job.id }, text };
}
