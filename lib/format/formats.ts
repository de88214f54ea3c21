// Which formats of stored items this code reads and writes (DECISIONS.md#table-format).

export interface Formats {
  /** Items of earlier formats are no longer understood. */
  oldestRead: number;
  /** Items of later formats are not yet understood. */
  newestRead: number;
  /** Not above `newestRead`: a release that reads a format is deployed before one that writes it. */
  written: number;
}

export const formats: Formats = { oldestRead: 4, newestRead: 4, written: 4 };

/** The formats of the items in a table. */
export interface TableFormat {
  /** No item has a later format. */
  version: number;
  /** While a migration is not complete: no item has an earlier format. Absent: all items have the format `version`. */
  oldest?: number;
}

/** The table has a format that this version of the service cannot read, or not yet the one that it writes. */
export class FormatError extends Error {
  override readonly name = "FormatError";
}

/** Throws FormatError when the code must not run on the table. */
export function checkFormat({ version, oldest = version }: TableFormat, code: Formats = formats): void {
  const { oldestRead, newestRead, written } = code;
  const reads = oldestRead === newestRead ? `format ${newestRead}` : `the formats ${oldestRead} to ${newestRead}`;
  if (version > newestRead) {
    throw new FormatError(`The table has items of format ${version}, and this version reads ${reads}.`);
  }
  if (oldest < oldestRead) {
    throw new FormatError(`The table has items of format ${oldest}, and this version reads ${reads}.`);
  }
  if (written > version) {
    throw new FormatError(
      `The table has format ${version}, and this version writes ${written}: migrate its items first.`,
    );
  }
  if (written < oldest) {
    throw new FormatError(`The table has format ${oldest}, and this version writes ${written}.`);
  }
}
