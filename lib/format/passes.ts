// The passes of a migration over the table. They can stop at any point: the next run continues after the last page
// whose progress is stored, and a page can be migrated twice.
import { randomUUID } from "node:crypto";
import { inParallel, pause } from "../concurrency.ts";
import { scanPage } from "../dynamodb/scan.ts";
import { commit } from "../jobs/commit.ts";
import * as Format from "../store/format.ts";
import * as ItemMigration from "../store/item-migration.ts";
import type { TableFormat } from "./formats.ts";
import { migrateItem } from "./migrate-one.ts";
import type { ItemMigration as Migration } from "./migrated.ts";
import {
  type Counts,
  checkMsDefault,
  currentEvery,
  division,
  type MigrateOptions,
  requireCurrent,
  segmentsInFlight,
  TakenOver,
} from "./options.ts";
import { throttled } from "./throttle.ts";

type Progress = ItemMigration.Progress;
type Plan = Pick<Progress, "to" | "deployment" | "segments">;

const itemsInFlight = 4;

/**
 * Migrates all items. While calls go on, it first waits until those of the release before have ended: such a call would
 * neither find nor delete an item that has another key by then. The last pass finds nothing to migrate: the local engine
 * ends a scan when the item that it continues after was deleted.
 */
export async function passes(
  table: TableFormat,
  migrations: readonly Migration[],
  options: MigrateOptions,
): Promise<Counts> {
  const { deployed, unitsPerSecond, graceMs = 0, segments } = { ...division, ...options };
  const keepCurrent = currentEvery(options.checkMs ?? checkMsDefault, deployed);
  return throttled(unitsPerSecond, async (keepRate) => {
    let all = await takeOver({ to: table.version, deployment: deployed?.id ?? "none", segments });
    if (deployed) await pause(graceMs);
    await requireCurrent(deployed);
    const afterPage = async () => {
      await keepRate();
      await keepCurrent();
    };
    for (;;) {
      all = await onePass(all, migrations, options, afterPage);
      await requireCurrent(deployed);
      const pass = Math.max(...all.map((each) => each.pass));
      if (sum(all, "migratedInPass") === 0) break;
      all = all.map((each) => inPass(each, pass + 1));
      await inParallel(all, segmentsInFlight, (each) => save(each, each.runId));
    }
    if (!(await commit([Format.closing(table), ...ItemMigration.removal(all)]))) throw new TakenOver();
    return countsOf(all);
  });
}

/** The progress of an earlier run under the name of this one, or that of a new migration. */
async function takeOver({ to, deployment, segments }: Plan): Promise<Progress[]> {
  const runId = randomUUID();
  const stored = await ItemMigration.list();
  const usable = stored.filter(
    (each) => each.to === to && each.deployment === deployment && each.segments === segments,
  );
  const pass = Math.max(0, ...usable.map((each) => each.pass));
  const start = { segments, to, deployment, pass, isDone: false, examined: 0, migrated: 0, migratedInPass: 0 };
  const all = Array.from({ length: segments }, (_, segment): Progress => {
    const found = usable.find((each) => each.segment === segment);
    return { ...start, segment, ...(found && inPass(found, pass)), runId };
  });
  const former = new Map(stored.map((each) => [each.segment, each.runId]));
  await inParallel(all, segmentsInFlight, (each) => save(each, former.get(each.segment)));
  return all;
}

/** The progress at the beginning of the pass, unless the progress is already of that pass. */
function inPass(progress: Progress, pass: number): Progress {
  if (progress.pass === pass) return progress;
  return { ...progress, pass, after: undefined, isDone: false, migratedInPass: 0 };
}

async function save(progress: Progress, formerRunId: string | undefined): Promise<void> {
  if (!(await ItemMigration.save(progress, formerRunId))) throw new TakenOver();
}

/** Migrates what remains of each segment. Returns the progress at the end. */
async function onePass(
  all: readonly Progress[],
  migrations: readonly Migration[],
  options: MigrateOptions,
  afterPage: () => Promise<void>,
): Promise<Progress[]> {
  const { onPage, itemsPerPage } = { ...division, ...options };
  const now = [...all];
  await inParallel(all, segmentsInFlight, async (start) => {
    for (let progress = start; !progress.isDone; ) {
      progress = await onePage(progress, migrations, itemsPerPage);
      now[progress.segment] = progress;
      onPage?.(progress.pass, countsOf(now));
      await afterPage();
    }
  });
  return now;
}

async function onePage(progress: Progress, migrations: readonly Migration[], limit: number): Promise<Progress> {
  const { segment, segments, after } = progress;
  const { items, next } = await scanPage({ segment, segments, after, limit });
  const changed = await inParallel(items, itemsInFlight, (item) => migrateItem(item, migrations));
  const count = changed.filter(Boolean).length;
  const read: Progress = {
    ...progress,
    after: next,
    isDone: next === undefined,
    examined: progress.examined + items.length,
    migrated: progress.migrated + count,
    migratedInPass: progress.migratedInPass + count,
  };
  await save(read, progress.runId);
  return read;
}

const sum = (all: readonly Progress[], name: "examined" | "migrated" | "migratedInPass") =>
  all.reduce((total, each) => total + each[name], 0);

const countsOf = (all: readonly Progress[]): Counts => ({
  examined: sum(all, "examined"),
  migrated: sum(all, "migrated"),
});
