import { accessSync, constants, existsSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { StartError } from "./start-error.ts";

/** Creates the folder if it is missing. Only its owner may read it, because it holds keys. Returns its real path. */
export function dataFolder(dir: string): string {
  try {
    create(resolve(dir));
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dir);
  } catch (cause) {
    throw new StartError(`The data folder ${dir} cannot be written to: ${(cause as Error).message}`, { cause });
  }
}

/** Node's own recursive creation never ends where the system refuses a folder with ENOENT, as in /proc. */
function create(dir: string): void {
  if (existsSync(dir)) return;
  create(dirname(dir));
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (thrown) {
    // Another process can have created it meanwhile.
    if (!existsSync(dir)) throw thrown;
  }
}
