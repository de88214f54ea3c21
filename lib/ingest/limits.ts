// What one file may cost. All are absolute: a bound relative to a start lets whoever chooses the start choose the bound.

/** Decoded bytes of a file, the contract's 5 MB. */
export const fileBytesMax = 5 * 1_024 * 1_024;

export const limits = {
  /** Of the reader's process, resident, all of it: beyond, it is ended. Watched every 15 ms, so it can overshoot. */
  residentMb: 600,
  /** Of its JavaScript heap, which V8 itself keeps to. */
  heapMb: 448,
  seconds: 10,
  /** Of all text together. */
  characters: 16_000_000,
  /** Of one cell or line; Excel's own limit of a cell. */
  lineCharacters: 32_767,
  cells: 2_000_000,
  columns: 1_000,
  pages: 1_000,
  /** Files in an archive, and what they may unpack to: each, and together. */
  entries: 1_000,
  entryBytes: 80_000_000,
  unpackedBytes: 160_000_000,
};
