// E-mail addresses in the form that mail servers take.
import { domainToASCII } from "node:url";

const charactersMax = 254;
/** As in RFC 5321, without quotes. */
const localPart = /^(?!\.)(?!.*\.\.)[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}(?<!\.)$/;
const domain = /^(?=.{4,189}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * The address in ASCII, its domain in lower case and as punycode. Undefined: mail cannot reach it. Neither SES nor
 * SendGrid takes other characters before the `@`.
 */
export function mailAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const [, local = "", given = ""] = (trimmed.length <= charactersMax && /^(.+)@([^@]+)$/.exec(trimmed)) || [];
  const name = domainToASCII(given);
  return localPart.test(local) && domain.test(name) ? `${local}@${name}` : undefined;
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);
