// A workspace's settings: one item a setting, read fresh at every call that declares it.
import type { AccessType } from "../schema/primitives.ts";
import type { AiVendor, Switch } from "../schema/setting-names.ts";
import { keys } from "./keys.ts";
import * as Table from "./table.ts";

export type { AiVendor, Switch };

export interface Settings {
  switches: Record<Switch, boolean>;
  /** The access type of what has none of its own. */
  access: { defaultAccessType: AccessType };
  /** `authTokenSealed` is sealed for the purpose `permission-provider`; empty: none was set. */
  permissionProvider: { usePermissionProvider: boolean; permissionProviderUrl: string; authTokenSealed: string };
  /** Event types that some enabled webhook endpoint asks for; `everyEvent` stands for all. `version` counts the changes. */
  webhooks: { wantedEvents: string[]; version: number };
  /** Sealed for `aiKeyPurpose`; empty: none was set. A field a vendor, as `update` replaces whole fields. */
  ai: Record<`${AiVendor}ApiKeySealed`, string>;
}
export type SettingName = keyof Settings;

const defaults: Settings = {
  switches: { advancedQueries: true, notifications: true, advancedWebhooks: false },
  access: { defaultAccessType: "organizationPrivate" },
  permissionProvider: { usePermissionProvider: false, permissionProviderUrl: "", authTokenSealed: "" },
  webhooks: { wantedEvents: [], version: 0 },
  ai: { openaiApiKeySealed: "", anthropicApiKeySealed: "", geminiApiKeySealed: "" },
};

/** A stored setting over its defaults; without an item, the defaults. */
export function settingOf<Name extends SettingName>(name: Name, item: object | undefined): Settings[Name] {
  const { pk: _pk, sk: _sk, ...stored } = (item ?? {}) as Record<string, unknown>;
  return { ...defaults[name], ...stored } as Settings[Name];
}

export async function get<Name extends SettingName>(workspace: string, name: Name): Promise<Settings[Name]> {
  return settingOf(name, await Table.get(keys.setting(workspace, name)));
}

/** Sets the given fields and leaves the others, so that concurrent updates do not lose each other's. */
export async function update<Name extends SettingName>(
  workspace: string,
  name: Name,
  fields: Partial<Settings[Name]>,
): Promise<void> {
  if (Object.keys(fields).length === 0) return;
  await Table.commit([{ update: keys.setting(workspace, name), set: fields }]);
}

/** What a vendor's API key is sealed for. */
export const aiKeyPurpose = (vendor: AiVendor) => `ai-key-${vendor}`;
