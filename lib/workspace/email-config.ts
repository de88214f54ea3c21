// The email configuration: computes the changes of an update, and builds the reply.
import { invalidField } from "../errors.ts";
import type { EmailChange, EmailConfig } from "../schema/email.ts";
import { defaultBatchSeconds, sentTypes, triggersSeeded } from "../schema/interest.ts";
import { areTooMany, tooManyTriggers } from "../schema/triggers.ts";
import { purposes, seal, unseal } from "../secrets.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { EmailSetting } from "../store/setting.ts";

const contextOf = ({ workspace }: WorkspaceRef) => ({ workspace, purpose: purposes.emailApiKey });

/** The sealed key to store. An empty key stays empty. */
export async function sealEmailKey(ref: WorkspaceRef, apiKey: string): Promise<string> {
  return apiKey && seal(apiKey, contextOf(ref));
}

/**
 * Returns the fields to change. Throws INVALID_ARGUMENT if the configuration would be inconsistent after it.
 * `apiKeySealed`: the sealed key of the request, if it has one.
 */
export function emailChanges(
  stored: EmailSetting,
  { useEmailService, emailBatchSeconds, emailServiceConfig = {} }: EmailChange,
  apiKeySealed: string | undefined,
): Partial<EmailSetting> {
  const { type, fromEmail, fromCompany, commentTemplateId, tagTemplateId, triggers } = emailServiceConfig;
  const storedTriggers = triggersOf(stored);
  const wantsEnabling = useEmailService === true || type === "custom";
  const isFirst = wantsEnabling && Object.keys(storedTriggers).length === 0;
  const changes: Partial<EmailSetting> = {
    // The first enabling does not replace a stored type.
    ...(isFirst && { useEmailService: true, type: stored.type ?? "custom" }),
    ...(useEmailService !== undefined && { useEmailService }),
    ...(type !== undefined && { type }),
    ...(apiKeySealed !== undefined && { apiKeySealed }),
    ...(fromEmail !== undefined && { fromEmail }),
    ...(fromCompany !== undefined && { fromCompany }),
    ...(commentTemplateId !== undefined && { commentTemplateId }),
    ...(tagTemplateId !== undefined && { tagTemplateId }),
    ...(emailBatchSeconds !== undefined && { emailBatchSeconds }),
    ...((isFirst || triggers) && {
      triggersJson: JSON.stringify({ ...storedTriggers, ...(isFirst && triggersSeeded), ...triggers }),
    }),
  };
  checkIsConsistent({ ...stored, ...changes });
  return changes;
}

const triggersOf = ({ triggersJson }: EmailSetting): Record<string, boolean> => JSON.parse(triggersJson);

function checkIsConsistent(next: EmailSetting): void {
  const { useEmailService, type, apiKeySealed } = next;
  if (useEmailService && type === "external" && apiKeySealed === "") {
    throw invalidField(["emailServiceConfig", "apiKey"], "Is required while the external service is on.");
  }
  if (areTooMany(Object.keys(triggersOf(next)).length)) {
    throw invalidField(["emailServiceConfig", "triggers"], tooManyTriggers);
  }
}

/** The event types that cause e-mails, and how long messages wait for more. */
export const mailedBy = (setting: EmailSetting) => ({
  emailEvents: setting.useEmailService ? sentTypes(triggersOf(setting)) : [],
  messageBatchSeconds: setting.emailBatchSeconds ?? defaultBatchSeconds,
});

/** The reply of the get and the update endpoint. `apiKey`: the plain key, if the request has it. */
export async function emailConfigOf(ref: WorkspaceRef, setting: EmailSetting, apiKey?: string): Promise<EmailConfig> {
  const { useEmailService, emailBatchSeconds, type = "default", apiKeySealed: sealed } = setting;
  const { fromEmail, fromCompany, commentTemplateId, tagTemplateId } = setting;
  const plain = apiKey ?? (sealed && (await unseal(sealed, contextOf(ref))).reveal());
  const texts = { apiKey: plain, fromEmail, fromCompany, commentTemplateId, tagTemplateId };
  return {
    useEmailService,
    // Only if it was set: the contract's reply does not have it.
    ...(emailBatchSeconds !== undefined && { emailBatchSeconds }),
    emailServiceConfig: { type, ...texts, triggers: triggersOf(setting) },
  };
}
