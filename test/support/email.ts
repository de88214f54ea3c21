// Requests and states for the tests of the email configuration.
import { expect } from "vitest";
import { emailconfigGet } from "../../functions/messages/emailconfig-get.ts";
import { emailconfigUpdate } from "../../functions/messages/emailconfig-update.ts";
import { type Credentials, must, newWorkspace } from "./call.ts";

export const apiKey = "SG.mail-secret-4711";

/** The configuration of a workspace that never set it. */
export const unset = {
  type: "default",
  apiKey: "",
  fromEmail: "",
  fromCompany: "",
  commentTemplateId: "",
  tagTemplateId: "",
  triggers: {},
};

export const on = { useEmailService: true };
export const external = { type: "external", apiKey };
export const config = (emailServiceConfig: object) => ({ emailServiceConfig });

export const update = (as: Credentials, data: object) => must(emailconfigUpdate, { as, data });
export const read = (as: Credentials) => must(emailconfigGet, { as });

/**
 * Makes the updates in turn. Returns the resulting configuration. Fails unless the last reply and a read agree on it.
 */
export async function stateAfter(...updates: object[]) {
  const as = await newWorkspace();
  let reply: object = {};
  for (const data of updates) reply = await update(as, data);
  expect(await read(as)).toEqual(reply);
  return reply as { useEmailService: boolean; emailServiceConfig: Record<string, unknown> };
}
