import * as Secrets from "../../lib/secrets.ts";

/** The text of a sealed value. */
export const unseal = async (...given: Parameters<typeof Secrets.unseal>): Promise<string> =>
  (await Secrets.unseal(...given)).reveal();
