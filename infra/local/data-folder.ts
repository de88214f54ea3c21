import { accessSync, constants, mkdirSync, realpathSync } from "node:fs";
import { StartError } from "./start-error.ts";

/** Creates the folder if it is missing. Only its owner may read it, because it holds keys. Returns its real path. */
export function dataFolder(dir: string): string {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dir);
  } catch (cause) {
    throw new StartError(`The data folder ${dir} cannot be written to: ${(cause as Error).message}`, { cause });
  }
}
