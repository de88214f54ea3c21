// The format of the stored items, as one number for the whole table. Code that reads another format could damage data: it
// refuses to start (DECISIONS.md#table-format).
import { entity } from "../dynamodb/entity.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import { commit } from "../jobs/commit.ts";
import * as Workspace from "./workspace.ts";

/** Raise it when items change in a way that this code could not read, or earlier code could not. */
const formatVersion = 1;

interface Format {
  version: number;
}

export const formatEntity = entity<Format>()({
  name: "format",
  attributes: { version: true },
  pk: () => "FORMAT",
  sk: () => "FORMAT",
});

/** The table was written in a format that this version of the service does not read. */
export class FormatError extends Error {
  override readonly name = "FormatError";
}

/** Checks the number of a table, and marks a new table with it. Throws FormatError for another number. */
export async function requireFormat(): Promise<void> {
  await retryOnConflict("format of the table", async () => {
    const stored = await Table.get<Format>(formatEntity.key({}));
    if (stored) return checkVersion(stored);
    if ((await Workspace.list()).length > 0) throw new FormatError("The table has data without a format number.");
    return (await commit([formatEntity.put({}, { version: formatVersion }, "absent")])) ? undefined : conflict;
  });
}

function checkVersion({ version }: Format): void {
  if (version === formatVersion) return;
  throw new FormatError(`The table has format ${version}, not ${formatVersion}.`);
}

const limitMs = 1_000;

/**
 * One read while Lambda initialises. The CPU is not throttled then, so TLS and the SDK's first request cost a fraction of
 * what they would cost in the first call. It reads the format number, so a function refuses to start on another format.
 * Takes at most a second; a failed read is ignored. Only the generated entry of a bundle calls this.
 */
export async function warmUp(): Promise<void> {
  const limit = new Promise<undefined>((resolve) => setTimeout(resolve, limitMs, undefined).unref());
  const read = Table.getEventually<Format>(formatEntity.key({})).catch(() => undefined);
  const stored = await Promise.race([read, limit]);
  if (stored) checkVersion(stored);
}
