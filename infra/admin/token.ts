import type { Command } from "commander";
import type { Workspace } from "../../lib/store/workspace.ts";
import {
  type Answer,
  columns,
  type Io,
  nameOption,
  Refusal,
  runsOnWorkspace,
  type WorkspaceOptions,
} from "./command.ts";
import { inWorkspace } from "./target.ts";

interface CreateOptions extends WorkspaceOptions {
  name: string;
}

export function addToken(program: Command, io: Io): void {
  const noun = program.command("token").description("create, list or revoke a workspace's auth tokens");
  const creation = noun.command("create").description("create an auth token, which is shown only now");
  runsOnWorkspace(creation.addOption(nameOption("token")), io, (options: CreateOptions) =>
    inWorkspace(options, (workspace) => create(workspace, options)),
  );
  const listing = noun.command("list").description("list the auth tokens, masked");
  runsOnWorkspace(listing, io, (options) => inWorkspace(options, list));
  const revocation = noun.command("revoke").description("revoke an auth token").argument("<id>", "as in the list");
  runsOnWorkspace(revocation, io, (options, id: string) => inWorkspace(options, (workspace) => revoke(workspace, id)));
}

async function create({ apiKey }: Workspace, { name }: CreateOptions): Promise<Answer> {
  const AuthToken = await import("../../lib/store/auth-token.ts");
  const { authToken } = await AuthToken.create(apiKey, { name });
  return { json: { authToken }, text: `Auth token  ${authToken}` };
}

async function list({ apiKey }: Workspace): Promise<Answer> {
  const AuthToken = await import("../../lib/store/auth-token.ts");
  const tokens = (await AuthToken.list(apiKey)).map(AuthToken.masked);
  const rows = tokens.map(({ id, authToken, createdAt, name }) => [id, authToken, createdAt, name]);
  return { json: tokens, text: columns(["ID", "AUTH TOKEN", "CREATED", "NAME"], rows) };
}

async function revoke({ apiKey }: Workspace, id: string): Promise<Answer> {
  const AuthToken = await import("../../lib/store/auth-token.ts");
  const found = (await AuthToken.list(apiKey)).find(({ hash }) => AuthToken.idOf(hash) === id);
  // What was typed is not repeated: it may be a token.
  const isRevoked = found !== undefined && (await AuthToken.revoke(apiKey, found.hash));
  if (!isRevoked) throw new Refusal("The workspace has no auth token of this id. `token list` shows the ids.");
  return {
    json: { id, revoked: true },
    text: `Revoked ${id}. Servers that know it may accept it for 30 seconds more.`,
  };
}
