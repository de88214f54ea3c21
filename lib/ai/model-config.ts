// The wire shape of a workspace's AI model configuration: one object for each vendor. Keys are never returned.
import * as z from "zod/mini";
import { ModelName } from "../schema/ai-vendors.ts";
import { HeaderValue, mask } from "../schema/header-value.ts";
import { mustBeObject, mustHaveAtMostCharacters } from "../schema/messages.ts";
import { mustHaveNo, optional, Text } from "../schema/primitives.ts";
import { type AiVendor, aiVendors } from "../schema/setting-names.ts";
import { purposes } from "../secrets.ts";
import { addressProblem } from "../store/secret-addresses.ts";
import type { Settings } from "../store/setting.ts";

const empty = z.literal("", "Must be empty, to remove it.");

const ApiKey = HeaderValue.check(
  z.maxLength(1_024, mustHaveAtMostCharacters(1_024)),
  z.describe("Stored encrypted, returned masked. The mask keeps it, an empty string removes it."),
);

/** The SDKs append their paths to the base URL. */
function problemOf(vendor: AiVendor, baseUrl: string): string | undefined {
  if (baseUrl === "") return undefined;
  const hasMore = /[?#]/.test(baseUrl) ? "The URL must not have a query or a fragment." : undefined;
  return addressProblem(purposes.aiKey[vendor], baseUrl) ?? hasMore;
}

const providerChange = (vendor: AiVendor) =>
  z.object(
    {
      apiKey: optional(ApiKey),
      baseUrl: optional(
        Text.check(
          mustHaveNo((baseUrl) => problemOf(vendor, baseUrl)),
          z.describe("The base URL for the vendor's SDK. Empty: the vendor's default."),
        ),
      ),
      model: optional(
        z.union([ModelName, empty]).check(z.describe("The default model. Empty: the service's default.")),
      ),
    },
    mustBeObject,
  );

const Provider = z.object({
  apiKey: z.string().check(z.describe("The API key, masked. Empty: none.")),
  baseUrl: z.string().check(z.describe("The base URL for the vendor's SDK. Empty: the vendor's default.")),
  model: z.string().check(z.describe("The model. Empty: the service's default.")),
});
const DefaultProvider = z.enum([...aiVendors, ""], `Must be one of ${aiVendors.join(", ")}, or empty.`);

const perVendor = <Schema extends z.ZodMiniType>(schemaOf: (vendor: AiVendor) => Schema) => ({
  openai: schemaOf("openai").check(z.describe("The settings for OpenAI.")),
  anthropic: schemaOf("anthropic").check(z.describe("The settings for Anthropic.")),
  gemini: schemaOf("gemini").check(z.describe("The settings for Google.")),
});

export const ModelConfigChange = z.object({
  providers: optional(
    z.object(
      perVendor((vendor) => optional(providerChange(vendor))),
      mustBeObject,
    ),
  ).check(z.describe("The settings of each vendor.")),
  defaultProvider: optional(DefaultProvider.check(z.describe("Empty: the first provider with a key."))),
});

export const ModelConfig = z.object({
  providers: z.object(perVendor(() => Provider)).check(z.describe("The settings of each vendor.")),
  defaultProvider: DefaultProvider.check(
    z.describe("The vendor that is used unless a call names one. Empty: the first with a key."),
  ),
});

/** The setting, with its keys masked. */
export function maskedModelConfig(ai: Settings["ai"]): z.output<typeof ModelConfig> {
  const provider = (vendor: (typeof aiVendors)[number]) => ({
    apiKey: ai[`${vendor}ApiKeySealed`] && mask,
    baseUrl: ai[`${vendor}BaseUrl`],
    model: ai[`${vendor}Model`],
  });
  return {
    providers: { openai: provider("openai"), anthropic: provider("anthropic"), gemini: provider("gemini") },
    defaultProvider: ai.defaultProvider,
  };
}
