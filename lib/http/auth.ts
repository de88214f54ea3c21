// Who calls. Credentials and the settings that the endpoint declares are one read; a positive answer is kept for 30 s,
// so a revoked token can still work that long. A refusal is never kept.
import { timingSafeEqual } from "node:crypto";
import * as Table from "../dynamodb/table.ts";
import { ApiError } from "../errors.ts";
import { hashOf } from "../store/auth-token.ts";
import { keys } from "../store/keys.ts";
import { type SettingName, settingOf } from "../store/setting.ts";
import type { Workspace } from "../store/workspace.ts";
import type { Caller } from "./endpoint.ts";

const keptMs = 30_000;
const keptMax = 1_000;
const kept = new Map<string, { record: Workspace; until: number }>();

export const apiKeyHeader = "x-service-api-key";
export const authTokenHeader = "x-service-auth-token";

/** The caller whom the headers name, with the declared settings under way; PERMISSION_DENIED otherwise. */
export async function authenticate(
  headers: Record<string, string | undefined>,
  settings: readonly SettingName[],
): Promise<Caller> {
  const workspace = headerOf(headers, apiKeyHeader);
  const hash = hashOf(headerOf(headers, authTokenHeader));
  const name = `${hash} ${workspace}`;
  const known = kept.get(name);
  if (known && known.until > Date.now()) return callerOf(known.record, readSettings(workspace, settings));
  const wanted = [keys.workspace(workspace), keys.token(workspace, hash), ...settingKeys(workspace, settings)];
  const [record, token, ...items] = await Table.getMany<Record<string, unknown>>(wanted);
  if (!record) throw denied(apiKeyHeader);
  if (!token || !equal(String(token.hash), hash)) throw denied(authTokenHeader);
  if (kept.size >= keptMax) kept.delete(kept.keys().next().value as string);
  kept.set(name, { record: record as unknown as Workspace, until: Date.now() + keptMs });
  return callerOf(record as unknown as Workspace, Promise.resolve(items));

  function callerOf(record: Workspace, read: Promise<(object | undefined)[]>): Caller {
    read.catch(() => {}); // Whoever awaits the setting meets the failure; an endpoint that needs none must not.
    return {
      workspace,
      record,
      setting: async (name) => settingOf(name, (await read)[settings.indexOf(name)]),
    };
  }
}

/** The same for credentials that a call repeats in its data: they must hold, and be of the caller's workspace. */
export async function mustHold(
  { workspace }: Pick<Caller, "workspace">,
  { apiKey, authToken }: { apiKey: string; authToken: string },
): Promise<void> {
  if (!equal(hashOf(apiKey), hashOf(workspace))) throw deniedField("apiKey");
  const hash = hashOf(authToken);
  const known = kept.get(`${hash} ${workspace}`);
  if (known && known.until > Date.now()) return;
  const token = await Table.get<{ hash: string }>(keys.token(workspace, hash));
  if (!token || !equal(token.hash, hash)) throw deniedField("authToken");
}

const deniedField = (field: string) => new ApiError("PERMISSION_DENIED", `The field data.${field} does not hold.`);

function headerOf(headers: Record<string, string | undefined>, name: string): string {
  const value = headers[name];
  if (!value) throw new ApiError("PERMISSION_DENIED", `The header ${name} is missing.`);
  return value;
}

function denied(header: string): ApiError {
  return new ApiError("PERMISSION_DENIED", `The header ${header} does not hold.`);
}

function equal(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

const settingKeys = (workspace: string, names: readonly SettingName[]) =>
  names.map((name) => keys.setting(workspace, name));

async function readSettings(workspace: string, names: readonly SettingName[]): Promise<(object | undefined)[]> {
  return names.length > 0 ? Table.getMany<object>(settingKeys(workspace, names)) : [];
}
