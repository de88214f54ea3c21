import { accessSync, constants, existsSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { databasePath, demoPath, kmsKeyPath } from "./files.ts";
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

/**
 * Throws StartError if a file is missing that the other files of the folder need, for example after an incomplete copy.
 * A new file in its place would hide the loss, and the lost file would not fit what is written from then on.
 */
export function requireWhole(dir: string): void {
  const [database, key, demo] = [databasePath(dir), kmsKeyPath(dir), demoPath(dir)];
  const witness = [database, demo].find(existsSync);
  if (witness && !existsSync(key)) {
    throw new StartError(
      `${key} is missing, but there is ${witness}. Restore the file: the sealed values of the table need that key. Without them, write 32 random bytes to it.`,
    );
  }
  if (!process.env.DYNAMODB_ENDPOINT && existsSync(demo) && !existsSync(database)) {
    throw new StartError(
      `${database} is missing, but there is ${demo}. Restore the file: it is the table. Or remove ${demo} and ${key}: then there is a new demo workspace.`,
    );
  }
}
