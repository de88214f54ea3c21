// Migrates the items of the table while calls go on (DECISIONS.md#table-format).
import { inParallel } from "../concurrency.ts";
import { scanPage } from "../dynamodb/scan.ts";
import * as Format from "../store/format.ts";
import { FormatError } from "./formats.ts";
import { type ItemMigration, migrated } from "./migrated.ts";
import { type Counts, division, type MigrateOptions, requireCurrent, segmentsInFlight, TakenOver } from "./options.ts";
import { passes } from "./passes.ts";
import { throttled } from "./throttle.ts";

/**
 * `current`: there was nothing to do. `open`: the table may have items of the new format from now on, and the release
 * that writes it can be deployed. `complete`: all items have it. `counted`: the result of a dry run.
 */
export interface Migrated extends Counts {
  state: "current" | "open" | "complete" | "counted";
  from: number;
  to: number;
}

/**
 * Does the next step of a migration to the newest format that the code reads. Throws FormatError when the table, the
 * code and the deployed release do not fit together, and TakenOver when another run has begun.
 */
export async function migrateItems(options: MigrateOptions): Promise<Migrated> {
  const { code, migrations, deployed, isDryRun = false } = options;
  const to = code.newestRead;
  const table = await Format.get();
  if (!table) throw new FormatError("The table has no format number.");
  const from = table.oldest ?? table.version;
  const none = { from, to, examined: 0, migrated: 0 };
  if (table.version > to) throw new FormatError(`The table has format ${table.version}, and this version knows ${to}.`);
  if (from === to) return { state: "current", ...none };
  const due = migrations.filter((each) => each.to > from && each.to <= to);
  if (isDryRun) return { state: "counted", ...none, ...(await count(due, options)) };
  await requireCurrent(deployed);
  if (deployed && deployed.formats.newestRead < to) {
    throw new FormatError(
      `The deployed release does not read format ${to}. Deploy one that does, then run this again.`,
    );
  }
  if (table.version < to && !(await Format.open(table, to))) throw new TakenOver();
  if ((deployed?.formats ?? code).written < to) return { state: "open", ...none };
  return { state: "complete", from, to, ...(await passes({ version: to, oldest: from }, due, options)) };
}

async function count(migrations: readonly ItemMigration[], options: MigrateOptions): Promise<Counts> {
  const { unitsPerSecond, onPage } = options;
  const { segments, itemsPerPage } = { ...division, ...options };
  const counts = { examined: 0, migrated: 0 };
  await throttled(unitsPerSecond, async (keepRate) => {
    await inParallel([...Array(segments).keys()], segmentsInFlight, async (segment) => {
      let page: Awaited<ReturnType<typeof scanPage>> | undefined;
      do {
        page = await scanPage({ segment, segments, after: page?.next, limit: itemsPerPage });
        counts.examined += page.items.length;
        counts.migrated += page.items.filter((item) => migrated(item, migrations)).length;
        onPage?.(0, counts);
        await keepRate();
      } while (page.next);
    });
  });
  return counts;
}
