// The addresses to which secrets of workspaces are sent (DECISIONS.md#addresses-of-secrets). Every purpose of a sealed
// value is listed, so a new purpose must say whether it has such an address.
import { config } from "../config.ts";
import { checkSecretUrl, originOf } from "../net/url.ts";
import { vendors } from "../schema/ai-vendors.ts";
import type { AiVendor } from "../schema/setting-names.ts";
import { type Purpose, purposes } from "../secrets.ts";

export type AddressedSetting = "ai" | "permissionProvider";

interface SecretAddress {
  setting: AddressedSetting;
  /** The field of the sealed secret. Empty: none is stored. */
  secret: string;
  /** The field of the address. */
  address: string;
  /** The address while that field is empty. */
  unset: string;
  /** The origins that the operator allows. */
  origins(): string;
}

const vendorAddress = (vendor: AiVendor): SecretAddress => ({
  setting: "ai",
  secret: `${vendor}ApiKeySealed`,
  address: `${vendor}BaseUrl`,
  unset: vendors[vendor].baseUrl,
  origins: config.aiOrigins,
});

/** Undefined: the secret is not sent to an address that a workspace sets. */
export const secretAddresses: Record<Purpose, SecretAddress | undefined> = {
  [purposes.aiKey.openai]: vendorAddress("openai"),
  [purposes.aiKey.anthropic]: vendorAddress("anthropic"),
  [purposes.aiKey.gemini]: vendorAddress("gemini"),
  [purposes.permissionProvider]: {
    setting: "permissionProvider",
    secret: "authTokenSealed",
    address: "permissionProviderUrl",
    unset: "",
    origins: config.permissionProviderOrigins,
  },
  // The secret signs deliveries, but is not sent.
  [purposes.webhookSecret]: undefined,
  // The operator sets the addresses of these two.
  [purposes.emailApiKey]: undefined,
  [purposes.slackBotToken]: undefined,
  [purposes.addressHash]: undefined,
  [purposes.signingKey]: undefined,
  [purposes.recordsKey]: undefined,
  [purposes.erasureTask]: undefined,
  [purposes.idempotentReply]: undefined,
};

/** Why the secret of this purpose cannot be sent to the URL, as a public message; undefined: it can. */
export function addressProblem(purpose: Purpose, url: string): string | undefined {
  const declared = secretAddresses[purpose];
  if (!declared) throw new Error(`Secrets for ${purpose} have no address.`);
  return checkSecretUrl(url, declared.origins());
}

/**
 * The fields to set in a setting. If the address of a secret gets another origin, the secret is cleared, unless the
 * fields have a new one. Otherwise a caller who may change the address could have the stored secret sent to a server of
 * their own.
 */
export function withoutMovedSecrets<Fields extends object>(
  setting: string,
  stored: Fields,
  fields: Partial<Fields>,
): Partial<Fields> {
  const has = (field: string) => (fields as Record<string, unknown>)[field] !== undefined;
  const cleared = Object.values(secretAddresses).flatMap((each) => {
    if (each?.setting !== setting || has(each.secret) || !has(each.address)) return [];
    const origin = (of: object) => originOf((of as Record<string, string>)[each.address] || each.unset);
    return origin(stored) === origin(fields) ? [] : [[each.secret, ""]];
  });
  return { ...fields, ...Object.fromEntries(cleared) };
}
