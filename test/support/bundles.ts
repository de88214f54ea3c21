import { fileURLToPath, pathToFileURL } from "node:url";

export const outDir = fileURLToPath(new URL("../../dist", import.meta.url));

/** The handler of a bundle, as Lambda would load it. */
export async function handlerOf(name: string): Promise<(event: object, context: object) => Promise<unknown>> {
  return (await import(/* @vite-ignore */ pathToFileURL(`${outDir}/${name}/index.mjs`).href)).handler;
}
