// A workspace's settings, one item for each. A call reads them fresh (DECISIONS.md#changes-of-settings).
import type { Interest } from "../call.ts";
import { entity } from "../dynamodb/entity.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import type { Condition, Write } from "../dynamodb/write.ts";
import { writeAll } from "../dynamodb/write-each.ts";
import { defaultBatchSeconds } from "../schema/interest.ts";
import type { AccessType } from "../schema/primitives.ts";
import type { AiVendor, EmailServiceType, Switch } from "../schema/setting-names.ts";
import { type WorkspaceRef, workspacePartition } from "./refs.ts";
import { withoutMovedSecrets } from "./secret-addresses.ts";

export type { AiVendor, Switch };

/** A setting whose fields depend on one another, such as a secret and its address. Only `change` writes it. */
interface Revised {
  /** The number of changes; absent before the first. */
  revision?: number | undefined;
}

export interface EmailSetting extends Revised {
  useEmailService: boolean;
  /** Absent until it is set. */
  type?: EmailServiceType | undefined;
  /** Sealed for `purposes.emailApiKey`; empty: none was set. */
  apiKeySealed: string;
  fromEmail: string;
  fromCompany: string;
  commentTemplateId: string;
  tagTemplateId: string;
  /** A map from event types to flags, as JSON: the SDK stores no map with a key `constructor`. */
  triggersJson: string;
  /** Absent until it is set. */
  emailBatchSeconds?: number | undefined;
}

export interface SlackSetting extends Revised {
  isEnabled: boolean;
  /** Sealed for `purposes.slackBotToken`; empty: none was set. */
  botTokenSealed: string;
  /** A map from event types to flags, as JSON. */
  triggersJson: string;
}

/** A change of what the activity logs record, or of who may change them. */
export interface ActivityChange {
  /** 1, 2, 3 and so on. */
  number: number;
  /** ISO 8601. */
  at: string;
  /** The whole configuration after it, as the API shows it. */
  config: object;
  /** An operator has unset `immutable`. */
  isUnlock?: true | undefined;
  /** The token of the call. */
  authTokenId?: string | undefined;
}

export interface ActivitySetting extends Revised {
  isEnabled: boolean;
  immutable?: boolean | undefined;
  /** The last changes, as JSON: a list of `ActivityChange`. Each chain of the workspace records them. */
  changesJson?: string | undefined;
  /** A map from event groups to maps from actions to flags, as JSON. */
  triggersJson?: string | undefined;
}

/** Keys are sealed for `purposes.aiKey`; empty if not set. Fields are per vendor, so a change replaces whole fields. */
export interface AiSetting extends Revised, Record<`${AiVendor}${"ApiKeySealed" | "BaseUrl" | "Model"}`, string> {
  defaultProvider: AiVendor | "";
}

export interface PermissionProviderSetting extends Revised {
  usePermissionProvider: boolean;
  permissionProviderUrl: string;
  /** Sealed for `purposes.permissionProvider`; empty: none was set. */
  authTokenSealed: string;
}

export interface Settings {
  switches: Record<Switch, boolean>;
  /** The access type where neither a resource nor a folder above it has one. */
  access: { defaultAccessType: AccessType };
  permissionProvider: PermissionProviderSetting;
  /** Which event types each receiver wants. It is one item, since each call that causes events reads it. */
  webhooks: Interest;
  ai: AiSetting;
  email: EmailSetting;
  slack: SlackSetting;
  activity: ActivitySetting;
}
export type SettingName = keyof Settings;
type RevisedName = { [Name in SettingName]: "revision" extends keyof Settings[Name] ? Name : never }[SettingName];

/** Every field of every setting, with its default. Other fields are not stored. */
const defaults: { [Name in SettingName]: Required<Record<keyof Settings[Name], unknown>> & Settings[Name] } = {
  switches: { advancedQueries: true, notifications: true, advancedWebhooks: false, browser: false, live: false },
  access: { defaultAccessType: "organizationPrivate" },
  permissionProvider: {
    usePermissionProvider: false,
    permissionProviderUrl: "",
    authTokenSealed: "",
    revision: undefined,
  },
  webhooks: {
    wantedEvents: [],
    version: 0,
    emailEvents: [],
    slackEvents: [],
    messageBatchSeconds: defaultBatchSeconds,
    activityEvents: [],
  },
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
    revision: undefined,
  },
  email: {
    useEmailService: false,
    type: undefined,
    apiKeySealed: "",
    fromEmail: "",
    fromCompany: "",
    commentTemplateId: "",
    tagTemplateId: "",
    triggersJson: "{}",
    emailBatchSeconds: undefined,
    revision: undefined,
  },
  slack: { isEnabled: false, botTokenSealed: "", triggersJson: "{}", revision: undefined },
  activity: {
    isEnabled: false,
    immutable: undefined,
    changesJson: undefined,
    triggersJson: undefined,
    revision: undefined,
  },
};

export const settingNames = Object.keys(defaults) as SettingName[];

const fieldNames = Object.values(defaults).flatMap((fields) => Object.keys(fields));

export const settingEntity = entity<Record<string, unknown>>()({
  name: "setting",
  attributes: fieldNames,
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  prefix: "SETTING#",
  sk: ({ setting }: { setting: SettingName }) => setting,
});

/** The stored fields of a setting, and defaults for the others. Without an item, all are defaults. */
export function settingOf<Name extends SettingName>(name: Name, item: object | undefined): Settings[Name] {
  return { ...defaults[name], ...settingEntity.attributesOf(item ?? {}) } as Settings[Name];
}

export async function get<Name extends SettingName>({ workspace }: WorkspaceRef, name: Name): Promise<Settings[Name]> {
  return settingOf(name, await Table.get(settingEntity.key({ workspace, setting: name })));
}

/** The write that sets the given fields and keeps the others. */
export function updating<Name extends SettingName>(
  { workspace }: WorkspaceRef,
  name: Name,
  fields: Partial<Settings[Name]>,
  condition?: Condition,
): Write {
  return settingEntity.update({ workspace, setting: name }, { set: fields }, condition);
}

/** Sets the given fields and keeps the others, so concurrent updates of different fields all take effect. */
export async function update<Name extends Exclude<SettingName, RevisedName>>(
  ref: WorkspaceRef,
  name: Name,
  fields: Partial<Settings[Name]>,
): Promise<void> {
  if (Object.keys(fields).length === 0) return;
  await writeAll([updating(ref, name, fields)]);
}

/**
 * Changes a setting depending on its stored value. The first attempt uses `known`, if given. After a concurrent change,
 * the next attempt reads the setting again. `decide` returns the fields to set, or throws. A secret is cleared when its
 * address moves to another origin. `interestAfter` returns which event types each receiver wants after the change. The
 * same transaction writes it to the setting "webhooks", which calls read. Returns the setting after the change, also
 * when another call has made it.
 */
export async function change<Name extends RevisedName>(
  ref: WorkspaceRef,
  name: Name,
  known: Settings[Name] | undefined,
  decide: (stored: Settings[Name]) => Partial<Settings[Name]>,
  interestAfter?: (after: Settings[Name]) => Partial<Interest>,
): Promise<Settings[Name]> {
  return retryOnConflict(`setting ${name}`, async (attempt) => {
    const stored = (attempt === 0 && known) || (await get(ref, name));
    const fields = withoutMovedSecrets(name, stored, decide(stored));
    if (Object.keys(fields).length === 0) return stored;
    const { revision } = stored;
    const set = { ...fields, revision: (revision ?? 0) + 1 };
    const after = { ...stored, ...set };
    const interest = interestAfter?.(after);
    const derived = interest ? [updating(ref, "webhooks", interest)] : [];
    const isWritten = await writeAll([updating(ref, name, set, { revision }), ...derived]);
    return isWritten ? after : conflict;
  });
}
