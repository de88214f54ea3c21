// E-mail addresses and names in the form that mail servers take.
import { domainToASCII } from "node:url";

const localPart = /^(?!\.)(?!.*\.\.)[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}(?<!\.)$/;
const domain = /^(?=.{4,189}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * The address in ASCII, its domain in lower case and as punycode. Undefined: mail cannot reach it. Neither SES nor
 * SendGrid takes other characters before the `@`.
 */
export function mailAddress(text: string): string | undefined {
  const [, local = "", given = ""] = /^(.+)@([^@]+)$/.exec(text.trim()) ?? [];
  const name = domainToASCII(given);
  return localPart.test(local) && domain.test(name) ? `${local}@${name}` : undefined;
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

const nameCharactersMax = 64;

/**
 * A company's name as the display name of a sender. It has no characters that look like an address, and none that a mail
 * program could read as part of the header.
 */
export function displayName(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{C}\p{Z}"<>@\\,;:()[\]]+/gu, " ")
    .trim();
  return [...plain].slice(0, nameCharactersMax).join("").trim();
}
