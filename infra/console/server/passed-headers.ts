// The headers of a reply that the page gets. A value of another form stays out, and one with a secret too.
import { ignoredFieldsHeader } from "../../../lib/http/unknown-fields.ts";
import { decoded } from "../../local/decoded.ts";
import { maskedText } from "./mask.ts";

/** A percent-encoded name. */
const name = String.raw`(?:[\w.!~*'()-]|%[0-9A-Fa-f]{2})*`;

const forms: Record<string, RegExp> = {
  "x-request-id": /^[\w-]{1,64}$/,
  [ignoredFieldsHeader]: new RegExp(`^${name}(?:,${name})*$`),
  "idempotent-replayed": /^true$/,
  "retry-after": /^\d{1,9}$/,
};
const lengthMax = 1_024;

export function passedHeaders(headers: Headers, secrets: readonly string[]): Record<string, string> {
  const hasSecret = (text: string) => maskedText(text, secrets) !== text;
  const passed = Object.entries(forms).flatMap(([header, form]) => {
    const value = headers.get(header);
    if (value === null || value.length > lengthMax || !form.test(value)) return [];
    return hasSecret(value) || hasSecret(decoded(value)) ? [] : [[header, value]];
  });
  return Object.fromEntries(passed);
}
