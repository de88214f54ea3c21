// The email configuration: what an update makes of it, and how it is shown.
import { invalidField } from "../errors.ts";
import type { EmailChange, EmailConfig } from "../schema/email.ts";
import { areTooMany, tooManyTriggers } from "../schema/triggers.ts";
import { seal, unseal } from "../secrets.ts";
import type { EmailSetting } from "../store/setting.ts";

/** What the first enabling switches on (decision W2). */
const triggersSeeded = {
  "comment_annotation.add": true,
  "comment.add": true,
  "comment_annotation.status_change": true,
  "comment_annotation.assign": true,
  "comment_annotation.priority_change": true,
  "huddle.create": true,
  "huddle.join": true,
};

const contextOf = (workspace: string) => ({ workspace, purpose: "email-api-key" });

/** As it is stored; an empty key is none. */
export async function sealEmailKey(workspace: string, apiKey: string): Promise<string> {
  return apiKey && seal(apiKey, contextOf(workspace));
}

/**
 * The fields that a request sets. INVALID_ARGUMENT where the configuration would not hold together after it.
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
    // What was stored without triggers stays, a type too.
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

/** As both endpoints answer it. `apiKey`: the key in plain text, where the caller has just sent it. */
export async function shownEmail(workspace: string, setting: EmailSetting, apiKey?: string): Promise<EmailConfig> {
  const { useEmailService, type = "default", apiKeySealed: sealed } = setting;
  const { fromEmail, fromCompany, commentTemplateId, tagTemplateId } = setting;
  const plain = apiKey ?? (sealed && (await unseal(sealed, contextOf(workspace))));
  const texts = { apiKey: plain, fromEmail, fromCompany, commentTemplateId, tagTemplateId };
  return { useEmailService, emailServiceConfig: { type, ...texts, triggers: triggersOf(setting) } };
}
