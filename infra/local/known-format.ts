import { FormatError, formats } from "../../lib/format/formats.ts";
import * as Format from "../../lib/store/format.ts";
import { StartError } from "./start-error.ts";

/**
 * Migrates the items of a data folder of an earlier format. The caller has the lock of the folder, so no other server
 * writes to it.
 */
export async function migrateToKnownFormat(): Promise<void> {
  const stored = await Format.get();
  if (!stored || stored.version > formats.newestRead || (stored.oldest ?? stored.version) >= formats.written) return;
  const { migrateItems } = await import("../../lib/format/migrate-items.ts");
  const { itemMigrations } = await import("../../lib/format/registry.ts");
  await migrateItems({ code: formats, migrations: itemMigrations });
}

/** Checks the format of the stored data, and marks a new table. Throws StartError for data of another format. */
export async function requireKnownFormat(): Promise<void> {
  await Format.requireFormat().catch((cause: unknown) => {
    if (!(cause instanceof FormatError)) throw cause;
    const hint =
      "Use the version of the service that wrote the data, or other data (--data, --stack). After an upgrade, `npm start` or `npm run admin -- migrate-items` migrates the data.";
    throw new StartError(`${cause.message} ${hint}`, { cause });
  });
}
