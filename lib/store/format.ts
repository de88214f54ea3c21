// The format of the stored items, as one number for the whole table. Code for another format could damage data, so it
// refuses to start (DECISIONS.md#table-format).
import { entity } from "../dynamodb/entity.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import { checkFormat, FormatError, type Formats, formats, type TableFormat } from "../format/formats.ts";
import { commit } from "../jobs/commit.ts";
import { listed } from "../jobs/list.ts";
import * as Workspace from "./workspace.ts";

export const formatEntity = entity<TableFormat>()({
  name: "format",
  attributes: { version: true, oldest: true },
  pk: () => "FORMAT",
  sk: () => "FORMAT",
});

/** The formats of the items in the table; undefined for a new table. */
export async function get(): Promise<TableFormat | undefined> {
  return Table.get<TableFormat>(formatEntity.key({}));
}

/**
 * Checks the format of a table. Writes the code's own format to an empty table. Throws FormatError for a format on
 * which the code must not run.
 */
export async function requireFormat(code: Formats = formats): Promise<void> {
  await retryOnConflict("format of the table", async () => {
    const stored = await get();
    if (stored) return checkFormat(stored, code);
    if (await hasData()) throw new FormatError("The table has data without a format number.");
    return (await commit([formatEntity.put({}, { version: code.written }, "absent")])) ? undefined : conflict;
  });
}

/**
 * Permits items of the format `version`, beside those of the present formats. Code that does not read it refuses to
 * start from now on. Returns false when the table's format is not as read.
 */
export async function open(read: TableFormat, version: number): Promise<boolean> {
  const { version: former, oldest } = read;
  const set = { version, oldest: oldest ?? former };
  return commit([formatEntity.update({}, { set }, { version: former, oldest })]);
}

/** The write after which the table permits no format before `version`. */
export const closing = ({ version, oldest }: TableFormat) =>
  formatEntity.update({}, { set: { version }, remove: ["oldest"] }, { version, oldest });

/** The data of a deleted workspace remains as long as its purge has a job. */
async function hasData(): Promise<boolean> {
  if ((await Workspace.list()).length > 0) return true;
  for await (const jobs of listed()) if (jobs.length > 0) return true;
  return false;
}

const limitMs = 1_000;

/**
 * Makes one read while Lambda initialises. The CPU is not throttled then, so TLS and the SDK's first request are much
 * faster than in the first call. It reads the format number, so a function refuses to start on another format. It takes
 * at most one second, and ignores a failed read. Only the generated entry of a bundle calls it.
 */
export async function warmUp(): Promise<void> {
  const limit = new Promise<undefined>((resolve) => setTimeout(resolve, limitMs, undefined).unref());
  const read = Table.getEventually<TableFormat>(formatEntity.key({})).catch(() => undefined);
  const stored = await Promise.race([read, limit]);
  if (stored) checkFormat(stored);
}
