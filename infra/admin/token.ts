import { type Command, InvalidArgumentError, Option } from "commander";
import { UnixSeconds } from "../../lib/schema/primitives.ts";
import { type Scope, scopes } from "../../lib/schema/scopes.ts";
import type { Workspace } from "../../lib/store/workspace.ts";
import { columns, type Io, nameOption, type Output, UserError, type WorkspaceOptions } from "./command.ts";
import { onWorkspace } from "./target.ts";

interface CreateOptions extends WorkspaceOptions {
  name: string;
  scopes?: Scope[];
  expiresAt?: number;
}

export function addToken(program: Command, io: Io): void {
  const group = program.command("token").description("create, list or revoke auth tokens of a workspace");
  const createCommand = group
    .command("create")
    .description("create an auth token; only this command prints it in full")
    .addOption(
      new Option("--scopes <list>", `some of ${scopes.join(",")}`).default(undefined, "all").argParser(scopesOf),
    )
    .addOption(new Option("--expires-at <seconds>", "end of the token in Unix seconds").argParser(secondsOf));
  onWorkspace(createCommand.addOption(nameOption("token")), io, create);
  const listCommand = group.command("list").description("list the auth tokens, with masked values");
  onWorkspace(listCommand, io, list);
  const revokeCommand = group
    .command("revoke")
    .description("revoke an auth token")
    .argument("<id>", "token id, as printed by token list");
  onWorkspace(revokeCommand, io, revoke);
}

function scopesOf(text: string): Scope[] {
  const names = text.split(",");
  const found = scopes.filter((scope) => names.includes(scope));
  if (found.length === 0 || found.length < new Set(names).size) {
    throw new InvalidArgumentError(`Must be some of ${scopes.join(",")}, separated by commas.`);
  }
  return found;
}

function secondsOf(text: string): number {
  const { data, error } = UnixSeconds.safeParse(/^\d+$/.test(text) ? Number(text) : text);
  if (data === undefined) throw new InvalidArgumentError(error?.issues[0]?.message ?? "");
  return data;
}

async function create({ apiKey }: Workspace, { name, scopes, expiresAt }: CreateOptions): Promise<Output> {
  const { createToken } = await import("../../lib/workspace/auth-tokens.ts");
  const { shown } = await import("../../lib/store/access/auth-token.ts");
  const created = await asUserError(createToken({ workspace: apiKey }, { name, scopes, expiresAt }));
  const { authToken, record } = created;
  const { id, scopes: own } = shown(record);
  return { json: { authToken, id, scopes: own }, text: `Auth token  ${authToken}\nScopes      ${own.join(", ")}` };
}

/** A refusal of the service is one that the user can correct. */
async function asUserError<T>(work: Promise<T>): Promise<T> {
  const { ApiError } = await import("../../lib/errors.ts");
  return work.catch((thrown: unknown) => {
    throw thrown instanceof ApiError ? new UserError(thrown.message) : thrown;
  });
}

async function list({ apiKey }: Workspace): Promise<Output> {
  const AuthToken = await import("../../lib/store/access/auth-token.ts");
  const tokens = (await AuthToken.list({ workspace: apiKey })).map(AuthToken.masked);
  const rows = tokens.map(({ id, authToken, scopes, expiresAt, createdAt, name }) => {
    const end = expiresAt === null ? "never" : new Date(expiresAt * 1_000).toISOString();
    return [id, authToken, scopes.join(","), createdAt, end, name];
  });
  return { json: tokens, text: columns(["ID", "AUTH TOKEN", "SCOPES", "CREATED", "EXPIRES", "NAME"], rows) };
}

async function revoke({ apiKey }: Workspace, _options: WorkspaceOptions, id: string): Promise<Output> {
  const { revokeToken } = await import("../../lib/workspace/auth-tokens.ts");
  const { ApiError } = await import("../../lib/errors.ts");
  const leavesAdmin = await revokeToken({ workspace: apiKey }, id, { evenLast: true }).catch((thrown: unknown) => {
    if (!(thrown instanceof ApiError)) throw thrown;
    // The message does not repeat the input, which may be a token.
    throw new UserError("The workspace has no auth token with this id. Run `token list` to see the ids.");
  });
  const revoked = `Revoked token ${id}. Servers that have just checked it accept it for up to 30 seconds.`;
  const warning = "No other token with the scope admin lasts as long. Create one with `token create`.";
  return { json: { id, revoked: true, leavesAdmin }, text: leavesAdmin ? revoked : `${revoked}\n${warning}` };
}
