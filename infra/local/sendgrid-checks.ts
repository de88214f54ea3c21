// What SendGrid's v3 mail/send checks of a request. The texts are close to those of SendGrid.
export interface SendGridProblem {
  status: number;
  message: string;
  field: string | null;
}

// biome-ignore lint/suspicious/noExplicitAny: the body of a request, before it is checked
type Given = any;

const personalizationsMax = 1_000;
const recipientsMax = 1_000;
const bytesMax = 30 * 1_024 * 1_024;
const customBytesMax = 10_000;
const reserved =
  /^(?:x-sg-id|x-sg-eid|received|dkim-signature|content-type|content-transfer-encoding|to|from|subject|reply-to|cc|bcc)$/i;
const address = /^[^\s@<>"]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;
const template = /^d-[0-9a-f]{32}$/;

export function problemOf(mail: Given, bytes: number) {
  const problem = (field: string | null, message: string, status = 400): SendGridProblem => ({
    status,
    message,
    field,
  });
  if (bytes > bytesMax) return problem(null, "The request is too large.", 413);
  if (typeof mail !== "object" || mail === null) return problem(null, "Bad Request");
  const { personalizations, from, subject, content, template_id: templateId, headers = {} } = mail as Given;
  if (!Array.isArray(personalizations) || personalizations.length === 0)
    return problem(
      "personalizations",
      "The personalizations field is required and must have at least one personalization.",
    );
  if (personalizations.length > personalizationsMax)
    return problem("personalizations", "There are too many personalizations.");
  if (!address.test(from?.email ?? ""))
    return problem("from.email", "The from email does not contain a valid address.");
  for (const [index, each] of personalizations.entries()) {
    const at = `personalizations.${index}`;
    const found = personalizationProblem(each, at, templateId);
    if (found) return problem(...found);
  }
  if (templateId === undefined) {
    if (typeof subject !== "string" || subject === "") return problem("subject", "The subject is required.");
    const found = contentProblem(content);
    if (found) return problem("content", found);
  } else if (!template.test(templateId)) {
    return problem("template_id", "The template_id must be a valid template id.");
  }
  const bad = Object.keys(headers).find((name) => reserved.test(name));
  if (bad) return problem(`headers.${bad}`, "The header is reserved.");
  if (Object.values(headers).some((value) => typeof value !== "string" || /[\r\n]/.test(value)))
    return problem("headers", "The value of a header must be a string on one line.");
  if (JSON.stringify(mail.custom_args ?? {}).length > customBytesMax)
    return problem("custom_args", "The custom arguments are too large.");
  return undefined;
}

function personalizationProblem(each: Given, at: string, templateId: unknown): [string, string] | undefined {
  const { to, dynamic_template_data: data } = each ?? {};
  if (!Array.isArray(to) || to.length === 0)
    return [`${at}.to`, "The to array is required, and must have at least one recipient."];
  if (to.length > recipientsMax) return [`${at}.to`, "There are too many recipients."];
  const wrong = to.findIndex(({ email }: Given) => typeof email !== "string" || !address.test(email));
  if (wrong >= 0) return [`${at}.to.${wrong}.email`, "Does not contain a valid address."];
  if (data !== undefined && !String(templateId).startsWith("d-"))
    return [`${at}.dynamic_template_data`, "The dynamic template data needs a dynamic template."];
  return undefined;
}

function contentProblem(content: Given): string | undefined {
  if (!Array.isArray(content) || content.length === 0)
    return "Unless a valid template_id is provided, the content parameter is required.";
  if (content.some(({ type, value }: Given) => !type || typeof value !== "string" || value === ""))
    return "The content value must be a string at least one character in length.";
  const types = content.map(({ type }: Given) => type);
  return types.includes("text/plain") && types[0] !== "text/plain"
    ? "If present, text/plain must be first."
    : undefined;
}
