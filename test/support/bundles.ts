import { fileURLToPath, pathToFileURL } from "node:url";

export const outDir = fileURLToPath(new URL("../../dist", import.meta.url));

/**
 * The most bytes of a function whose only large library is the AWS SDK. A cold start reads and compiles all of them.
 * Those with further libraries have limits of their own in test/infra/local/bundler.engines.test.ts.
 */
export const bundleBytesMax = 280_000;

/** Loads the handler of a bundle, as Lambda does. */
export async function handlerOf(name: string): Promise<(event: object, context: object) => Promise<unknown>> {
  return (await import(/* @vite-ignore */ pathToFileURL(`${outDir}/${name}/index.mjs`).href)).handler;
}
