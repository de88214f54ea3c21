// A workspace's settings: one item a setting, read fresh at every call that declares it.
import { callSignal } from "../call.ts";
import { backoff } from "../concurrency.ts";
import * as Table from "../dynamodb/table.ts";
import type { AccessType } from "../schema/primitives.ts";
import type { AiVendor, EmailServiceType, Switch } from "../schema/setting-names.ts";
import { keys } from "./keys.ts";

export type { AiVendor, Switch };

/** A setting whose fields depend on one another, or hold further ones: written by `change` only. */
interface Revised {
  /** Counts the changes; absent: there was none. */
  revision?: number;
}

export interface EmailSetting extends Revised {
  useEmailService: boolean;
  /** Absent: never set. */
  type?: EmailServiceType;
  /** Sealed for the purpose `email-api-key`; empty: none was set. */
  apiKeySealed: string;
  fromEmail: string;
  fromCompany: string;
  commentTemplateId: string;
  tagTemplateId: string;
  /** Event type to flag, as JSON: the SDK stores no map with a key `constructor`. */
  triggersJson: string;
}

export interface ActivitySetting extends Revised {
  isEnabled: boolean;
  immutable?: boolean;
  /** Event group to action to flag, as JSON. */
  triggersJson?: string;
}

export interface Settings {
  switches: Record<Switch, boolean>;
  /** The access type of what has none of its own. */
  access: { defaultAccessType: AccessType };
  /** `authTokenSealed` is sealed for the purpose `permission-provider`; empty: none was set. */
  permissionProvider: { usePermissionProvider: boolean; permissionProviderUrl: string; authTokenSealed: string };
  /** Event types that some enabled webhook endpoint asks for; `everyEvent` stands for all. `version` counts the changes. */
  webhooks: { wantedEvents: string[]; version: number };
  /** Keys are sealed for `aiKeyPurpose`; empty: none was set. A field a vendor, as `update` replaces whole fields. */
  ai: Record<`${AiVendor}${"ApiKeySealed" | "BaseUrl" | "Model"}`, string> & { defaultProvider: AiVendor | "" };
  email: EmailSetting;
  activity: ActivitySetting;
}
export type SettingName = keyof Settings;
type RevisedName = { [Name in SettingName]: "revision" extends keyof Settings[Name] ? Name : never }[SettingName];

const defaults: Settings = {
  switches: { advancedQueries: true, notifications: true, advancedWebhooks: false },
  access: { defaultAccessType: "organizationPrivate" },
  permissionProvider: { usePermissionProvider: false, permissionProviderUrl: "", authTokenSealed: "" },
  webhooks: { wantedEvents: [], version: 0 },
  ai: {
    openaiApiKeySealed: "",
    openaiBaseUrl: "",
    openaiModel: "",
    anthropicApiKeySealed: "",
    anthropicBaseUrl: "",
    anthropicModel: "",
    geminiApiKeySealed: "",
    geminiBaseUrl: "",
    geminiModel: "",
    defaultProvider: "",
  },
  email: {
    useEmailService: false,
    apiKeySealed: "",
    fromEmail: "",
    fromCompany: "",
    commentTemplateId: "",
    tagTemplateId: "",
    triggersJson: "{}",
  },
  activity: { isEnabled: false },
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
export async function update<Name extends Exclude<SettingName, RevisedName>>(
  workspace: string,
  name: Name,
  fields: Partial<Settings[Name]>,
): Promise<void> {
  if (Object.keys(fields).length === 0) return;
  await Table.commit([{ update: keys.setting(workspace, name), set: fields }]);
}

/**
 * Changes a setting by what it is, `known` at first: `decide` says which fields to set, and throws to refuse. Where
 * another change comes first, it decides anew, so that neither loses the other's. Answers the setting as it then is.
 */
export async function change<Name extends RevisedName>(
  workspace: string,
  name: Name,
  known: Settings[Name],
  decide: (stored: Settings[Name]) => Partial<Settings[Name]>,
): Promise<Settings[Name]> {
  let stored = known;
  for (let attempt = 0; ; attempt++) {
    const fields = decide(stored);
    if (Object.keys(fields).length === 0) return stored;
    const { revision } = stored;
    const set = { ...fields, revision: (revision ?? 0) + 1 };
    if (await Table.commit([{ update: keys.setting(workspace, name), set, if: { revision } }])) {
      return { ...stored, ...set };
    }
    await backoff(attempt, callSignal());
    stored = await get(workspace, name);
  }
}

/** What a vendor's API key is sealed for. */
export const aiKeyPurpose = (vendor: AiVendor) => `ai-key-${vendor}`;
