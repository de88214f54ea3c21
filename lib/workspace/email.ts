// The email configuration: the changes of an update, and the form of the reply.
import { invalidField } from "../errors.ts";
import type { EmailChange, EmailConfig } from "../schema/email.ts";
import { areTooMany, tooManyTriggers } from "../schema/triggers.ts";
import { purposes, seal, unseal } from "../secrets.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { EmailSetting } from "../store/setting.ts";

/** The triggers that the first enabling switches on (DECISIONS.md#first-enabling-of-email). */
const triggersSeeded = {
  "comment_annotation.add": true,
  "comment.add": true,
  "comment_annotation.status_change": true,
  "comment_annotation.assign": true,
  "comment_annotation.priority_change": true,
  "huddle.create": true,
  "huddle.join": true,
};

const contextOf = ({ workspace }: WorkspaceRef) => ({ workspace, purpose: purposes.emailApiKey });

/** The key as it is stored; an empty one stays empty. */
export async function sealEmailKey(ref: WorkspaceRef, apiKey: string): Promise<string> {
  return apiKey && seal(apiKey, contextOf(ref));
}

/**
 * The fields that a request sets. INVALID_ARGUMENT when the configuration would be inconsistent after it.
 * `apiKeySealed` is the request's key, if it has one.
 */
export function emailChanges(
  stored: EmailSetting,
  { useEmailService, emailServiceConfig = {} }: EmailChange,
  apiKeySealed: string | undefined,
): Partial<EmailSetting> {
  const { type, fromEmail, fromCompany, triggers } = emailServiceConfig;
  const storedTriggers = triggersOf(stored);
  const wantsEnabling = useEmailService === true || type === "custom";
  const isFirst = wantsEnabling && Object.keys(storedTriggers).length === 0;
  const changes: Partial<EmailSetting> = {
    // A type that was stored before the first enabling stays.
    ...(isFirst && { useEmailService: true, type: stored.type ?? "custom" }),
    ...(useEmailService !== undefined && { useEmailService }),
    ...(type !== undefined && { type }),
    ...(apiKeySealed !== undefined && { apiKeySealed }),
    ...(fromEmail !== undefined && { fromEmail }),
    ...(fromCompany !== undefined && { fromCompany }),
    ...((isFirst || triggers) && {
      triggersJson: JSON.stringify({ ...storedTriggers, ...(isFirst && triggersSeeded), ...triggers }),
    }),
  };
  check({ ...stored, ...changes });
  return changes;
}

const triggersOf = ({ triggersJson }: EmailSetting): Record<string, boolean> => JSON.parse(triggersJson);

function check(next: EmailSetting): void {
  const { useEmailService, type, apiKeySealed } = next;
  if (useEmailService && type === "external" && apiKeySealed === "") {
    throw invalidField(["emailServiceConfig", "apiKey"], "Is required for the external service to be on.");
  }
  if (areTooMany(Object.keys(triggersOf(next)).length)) {
    throw invalidField(["emailServiceConfig", "triggers"], tooManyTriggers);
  }
}

/** The reply of both endpoints. `apiKey`: the key in plain text, when the request has it. */
export async function emailConfigOf(ref: WorkspaceRef, setting: EmailSetting, apiKey?: string): Promise<EmailConfig> {
  const { useEmailService, type = "default", apiKeySealed: sealed } = setting;
  const { fromEmail, fromCompany, commentTemplateId, tagTemplateId } = setting;
  const plain = apiKey ?? (sealed && (await unseal(sealed, contextOf(ref))));
  const texts = { apiKey: plain, fromEmail, fromCompany, commentTemplateId, tagTemplateId };
  return { useEmailService, emailServiceConfig: { type, ...texts, triggers: triggersOf(setting) } };
}
