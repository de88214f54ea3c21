import { deployables, sourceOf } from "../deployables.ts";
import type { Handler } from "./invoke.ts";

const loaded = new Map<string, Handler>();

/** The handlers of the sources. Node has loaded most of their code with the list of functions. */
export async function loadSource(name: string): Promise<Handler> {
  const known = loaded.get(name);
  if (known) return known;
  const found = deployables.find((each) => each.name === name);
  if (!found) throw new Error(`There is no function ${name}.`);
  // Node resolves a dynamic import anew each time, which costs several reads of the file system.
  const { handler } = await import(new URL(`../../${sourceOf(found)}`, import.meta.url).href);
  loaded.set(name, handler);
  return handler;
}
