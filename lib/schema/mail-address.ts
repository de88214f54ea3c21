// E-mail addresses: as a request may have them, and in the form that mail servers take.
import { domainToASCII } from "node:url";

const charactersMax = 254;
/** One address without a name, as RFC 5321 has it, without quoted local parts. Its domain has at least one dot. */
const address =
  /^(?!\.)(?!.*\.\.)[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}(?<!\.)@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

export const isMailAddress = (text: string): boolean => text.length <= charactersMax && address.test(text);

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
