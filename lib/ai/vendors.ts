// The vendors of language models: which one serves a model, under which names, and where.
import * as z from "zod/mini";
import type { AiVendor } from "../schema/setting-names.ts";

interface Vendor {
  /** As people know it. */
  label: string;
  /** Model names that are its own (decision I1). */
  models: RegExp;
  /** What a request may call it. */
  names: readonly string[];
  /** Where the workspace sets none: as the vendor's SDK takes it. */
  baseUrl: string;
  /** Where neither the request nor the workspace names one. */
  defaultModel: string;
}

/** In the order in which a workspace's default is looked for. */
export const vendors: Record<AiVendor, Vendor> = {
  openai: {
    label: "OpenAI",
    models: /^(?:gpt-|chatgpt-|o[134](?:-|$))/,
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

/** A model's name becomes part of a URL that carries the key: a "../" in it would lead elsewhere, key and all. */
export const ModelName = z
  .string("Must be a string.")
  .check(
    z.maxLength(128, "Must have at most 128 characters."),
    z.regex(/^[a-z0-9](?:[.:_-]?[a-z0-9])*$/i, "Must be letters and digits, with one of . : _ - between them."),
    z.describe("The model's name as its vendor writes it."),
  );

/** The vendor of a model, by its name's prefix. */
export function vendorOf(model: string): AiVendor | undefined {
  return all.find((vendor) => vendors[vendor].models.test(model));
}

/** The vendor that a request means by this name. */
export function vendorNamed(name: string): AiVendor | undefined {
  return all.find((vendor) => vendors[vendor].names.includes(name));
}

/** o1, o3 and o4 were made without a place for instructions: they come first in the user's message. */
export function takesInstructions(model: string): boolean {
  return !/^o[134](?:-|$)/.test(model);
}

const all = Object.keys(vendors) as AiVendor[];
