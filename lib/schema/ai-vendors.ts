// The vendors of language models, with their names, models and base URLs.
import * as z from "zod/mini";
import { matching } from "./primitives.ts";
import type { AiVendor } from "./setting-names.ts";

interface Vendor {
  /** The name in messages. */
  label: string;
  /** Matches the names of this vendor's models. */
  models: RegExp;
  /** The vendor's names in requests. */
  names: readonly string[];
  /** Used if the workspace sets none. In the form that the vendor's SDK takes. */
  baseUrl: string;
  /** Used if neither the request nor the workspace names a model. */
  defaultModel: string;
}

/** OpenAI's o1, o3 and o4, and their variants. */
const reasoningModels = /^o[134](?:-|$)/;

export const vendors: Record<AiVendor, Vendor> = {
  openai: {
    label: "OpenAI",
    models: new RegExp(`^(?:gpt-|chatgpt-)|${reasoningModels.source}`),
    names: ["openai"],
    baseUrl: "https://api.openai.com/v1",
    defaultModel: "gpt-5-mini",
  },
  anthropic: {
    label: "Anthropic",
    models: /^claude-/,
    names: ["anthropic", "claude"],
    baseUrl: "https://api.anthropic.com/v1",
    defaultModel: "claude-haiku-4-5",
  },
  gemini: {
    label: "Google",
    models: /^gemini-/,
    names: ["gemini", "google"],
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    defaultModel: "gemini-2.5-flash",
  },
};

/** The name becomes part of the URL to which the key is sent. With "../" in it, the key would go to another path. */
export const ModelName = matching(
  /^[A-Za-z0-9](?:[.:_-]?[A-Za-z0-9])*$/,
  128,
  "Must be letters and digits, with one of . : _ - between them.",
).check(z.describe("The model's name as its vendor writes it."));

/** The vendor of a model, by its name's prefix. */
export function vendorOf(model: string): AiVendor | undefined {
  return all.find((vendor) => vendors[vendor].models.test(model));
}

/** The vendor of a name in a request. */
export function vendorNamed(name: string): AiVendor | undefined {
  return all.find((vendor) => vendors[vendor].names.includes(name));
}

/** o1, o3 and o4 do not accept instructions as a separate message. The prompt begins with them instead. */
export function takesInstructions(model: string): boolean {
  return !reasoningModels.test(model);
}

/**
 * A call waits 25 s at most, in which a model writes about 5,000 tokens. The rest is for reasoning, which counts too.
 * So a model that never ends costs the workspace no more than this.
 */
const outputTokens = 16_384;
/** Older models, which refuse `outputTokens`. GPT-4 takes 8,192 together with the prompt, so half remains for it. */
const olderModels: [limit: number, models: RegExp][] = [
  [2_048, /^gemini-(?:1\.0-|pro(?:-vision)?$)/],
  [4_096, /^gpt-(?:3|4(?:-|$)|4o-2024-05-13$)|^claude-(?:instant|2|3-(?!\d-))/],
  [8_192, /^claude-3-5-|^gemini-(?:1\.5-|2\.0-|exp-)/],
];

/**
 * The most tokens that the model may write in one call. Source: the models' pages of platform.openai.com/docs/models,
 * platform.claude.com/docs/models and ai.google.dev/gemini-api/docs/models.
 */
export function outputTokensMax(model: string): number {
  return olderModels.find(([, models]) => models.test(model))?.[0] ?? outputTokens;
}

const all = Object.keys(vendors) as AiVendor[];
