import { UserError } from "./command.ts";

/** The origin of a service whose calls carry keys. Throws UserError for one to which they must not be sent. */
export function serviceOrigin(given: string): string {
  if (!URL.canParse(given)) throw new UserError(`${given} is not a URL.`);
  const { protocol, hostname, origin } = new URL(given);
  if (protocol !== "https:" && !/^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname)) {
    throw new UserError("The URL must begin with https://, unless it is of this machine.");
  }
  return origin;
}
