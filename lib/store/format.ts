// The format of the stored items, as one number for the whole table. Code for another format could damage data, so it
// refuses to start (DECISIONS.md#table-format).
import { entity } from "../dynamodb/entity.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import * as Table from "../dynamodb/table.ts";
import { writeAll } from "../dynamodb/write-each.ts";

/** The format that this code reads and writes. */
export const format = 1;

interface TableFormat {
  version: number;
}

export const formatEntity = entity<TableFormat>()({
  name: "format",
  attributes: ["version"],
  pk: () => "FORMAT",
  sk: () => "FORMAT",
});

/** The table has items that this version of the service cannot read. */
export class FormatError extends Error {
  override readonly name = "FormatError";
}

/** Throws FormatError if the format is not the format of this code. */
export function checkFormat({ version }: TableFormat): void {
  if (version === format) return;
  throw new FormatError(
    `The table has items of format ${version}, and this version reads format ${format}. Use the version that wrote them, or other data.`,
  );
}

/** Checks the format of the table. A table without a number gets this code's. Throws FormatError for another one. */
export async function requireFormat(): Promise<void> {
  await retryOnConflict("format of the table", async () => {
    const stored = await Table.get<TableFormat>(formatEntity.key({}));
    if (stored) return checkFormat(stored);
    return (await writeAll([formatEntity.put({}, { version: format }, "absent")])) ? undefined : conflict;
  });
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
