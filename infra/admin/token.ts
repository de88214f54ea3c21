import type { Command } from "commander";
import type { Workspace } from "../../lib/store/workspace.ts";
import {
  addWorkspaceAction,
  columns,
  type Io,
  nameOption,
  type Output,
  UserError,
  type WorkspaceOptions,
} from "./command.ts";
import { withWorkspace } from "./target.ts";

interface CreateOptions extends WorkspaceOptions {
  name: string;
}

export function addToken(program: Command, io: Io): void {
  const group = program.command("token").description("create, list or revoke auth tokens of a workspace");
  const createCommand = group
    .command("create")
    .description("create an auth token; only this command prints it in full");
  addWorkspaceAction(createCommand.addOption(nameOption("token")), io, (options: CreateOptions) =>
    withWorkspace(options, (workspace) => create(workspace, options)),
  );
  const listCommand = group.command("list").description("list the auth tokens, with masked values");
  addWorkspaceAction(listCommand, io, (options) => withWorkspace(options, list));
  const revokeCommand = group
    .command("revoke")
    .description("revoke an auth token")
    .argument("<id>", "token id, as printed by token list");
  addWorkspaceAction(revokeCommand, io, (options, id: string) =>
    withWorkspace(options, (workspace) => revoke(workspace, id)),
  );
}

async function create({ apiKey }: Workspace, { name }: CreateOptions): Promise<Output> {
  const AuthToken = await import("../../lib/store/auth-token.ts");
  const { authToken } = await AuthToken.create({ workspace: apiKey }, { name });
  return { json: { authToken }, text: `Auth token  ${authToken}` };
}

async function list({ apiKey }: Workspace): Promise<Output> {
  const AuthToken = await import("../../lib/store/auth-token.ts");
  const tokens = (await AuthToken.list({ workspace: apiKey })).map(AuthToken.masked);
  const rows = tokens.map(({ id, authToken, createdAt, name }) => [id, authToken, createdAt, name]);
  return { json: tokens, text: columns(["ID", "AUTH TOKEN", "CREATED", "NAME"], rows) };
}

async function revoke({ apiKey }: Workspace, id: string): Promise<Output> {
  const AuthToken = await import("../../lib/store/auth-token.ts");
  const found = (await AuthToken.list({ workspace: apiKey })).find(({ hash }) => AuthToken.idOf(hash) === id);
  // The message does not repeat the input, which may be a token.
  const isRevoked = found !== undefined && (await AuthToken.revoke({ workspace: apiKey }, found.hash));
  if (!isRevoked) throw new UserError("The workspace has no auth token with this id. Run `token list` to see the ids.");
  return {
    json: { id, revoked: true },
    text: `Revoked token ${id}. Servers that have just checked it accept it for up to 30 seconds.`,
  };
}
