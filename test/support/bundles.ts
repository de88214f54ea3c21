import { fileURLToPath, pathToFileURL } from "node:url";

export const outDir = fileURLToPath(new URL("../../dist", import.meta.url));

/** Loads the handler of a bundle, as Lambda does. */
export async function handlerOf(name: string): Promise<(event: object, context: object) => Promise<unknown>> {
  return (await import(/* @vite-ignore */ pathToFileURL(`${outDir}/${name}/index.mjs`).href)).handler;
}
