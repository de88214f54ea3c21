// The format of the stored items, as one number for the whole table. Code for another format could damage data, so it
// refuses to start (DECISIONS.md#table-format).
import { entity } from "../dynamodb/entity.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import { commit } from "../jobs/commit.ts";
import { listed } from "../jobs/list.ts";
import * as Workspace from "./workspace.ts";

/** Increment it with a change after which earlier code cannot read new items, or new code earlier items. */
const formatVersion = 2;

interface Format {
  version: number;
}

export const formatEntity = entity<Format>()({
  name: "format",
  attributes: { version: true },
  pk: () => "FORMAT",
  sk: () => "FORMAT",
});

/** The table has a format that this version of the service cannot read. */
export class FormatError extends Error {
  override readonly name = "FormatError";
}

/** Checks the format number of a table. Writes it to an empty table. Throws FormatError for another number. */
export async function requireFormat(): Promise<void> {
  await retryOnConflict("format of the table", async () => {
    const stored = await Table.get<Format>(formatEntity.key({}));
    if (stored) return checkVersion(stored);
    if (await hasData()) throw new FormatError("The table has data without a format number.");
    return (await commit([formatEntity.put({}, { version: formatVersion }, "absent")])) ? undefined : conflict;
  });
}

/** The data of a deleted workspace remains as long as its purge has a job. */
async function hasData(): Promise<boolean> {
  if ((await Workspace.list()).length > 0) return true;
  for await (const jobs of listed()) if (jobs.length > 0) return true;
  return false;
}

function checkVersion({ version }: Format): void {
  if (version === formatVersion) return;
  throw new FormatError(`The table has format ${version}, not ${formatVersion}.`);
}

const limitMs = 1_000;

/**
 * Makes one read while Lambda initialises. The CPU is not throttled then, so TLS and the SDK's first request are much
 * faster than in the first call. It reads the format number, so a function refuses to start on another format. It takes
 * at most one second, and ignores a failed read. Only the generated entry of a bundle calls it.
 */
export async function warmUp(): Promise<void> {
  const limit = new Promise<undefined>((resolve) => setTimeout(resolve, limitMs, undefined).unref());
  const read = Table.getEventually<Format>(formatEntity.key({})).catch(() => undefined);
  const stored = await Promise.race([read, limit]);
  if (stored) checkVersion(stored);
}
