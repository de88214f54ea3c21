import { FormatError, type Formats } from "./formats.ts";
import type { ItemMigration } from "./migrated.ts";

export interface MigrateOptions {
  /** What this code reads and writes. */
  code: Formats;
  migrations: readonly ItemMigration[];
  /** What writes to the table meanwhile; undefined: nothing does. */
  deployed?: Deployed | undefined;
  /** Counts what would change, and writes nothing. */
  isDryRun?: boolean | undefined;
  /** Capacity units that it may use in a second. */
  unitsPerSecond?: number | undefined;
  /** This long after a deployment has ended, no call of the release before runs. */
  graceMs?: number;
  /** How often it looks whether a deployment has begun. The default is below the time that one takes to change functions. */
  checkMs?: number;
  /** The parts of the table that are read in parallel, and the items that are migrated before progress is stored. */
  segments?: number;
  itemsPerPage?: number;
  onPage?(pass: number, counts: Counts): void;
}

export interface Deployed {
  formats: Formats;
  /** Differs for each deployment. */
  id: string;
  /** False from the beginning of the next deployment on. */
  isCurrent(): Promise<boolean>;
}

/** Throws FormatError when another release writes, or may write, to the table by now. */
export async function requireCurrent(deployed: Deployed | undefined): Promise<void> {
  if (deployed && !(await deployed.isCurrent())) {
    throw new FormatError("A deployment runs, or has run meanwhile. Run this again when it has ended.");
  }
}

/** A check that is called often, and calls `requireCurrent` at most once in `everyMs`. */
export function currentEvery(everyMs: number, deployed: Deployed | undefined): () => Promise<void> {
  let nextAt = Date.now() + everyMs;
  return async () => {
    if (Date.now() < nextAt) return;
    nextAt = Date.now() + everyMs;
    await requireCurrent(deployed);
  };
}

export interface Counts {
  examined: number;
  migrated: number;
}

/** Another run has begun on the same table. The other run continues from the stored progress of this one. */
export class TakenOver extends Error {
  override readonly name = "TakenOver";

  constructor() {
    super("Another run has taken over the migration.");
  }
}

export const division = { segments: 16, itemsPerPage: 100 };
export const segmentsInFlight = 4;
export const checkMsDefault = 10_000;
