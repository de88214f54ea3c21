// Limits of one file. All are absolute: an attacker who controls the baseline of a relative limit controls the limit.

/** Decoded bytes of a file, the contract's 5 MB. */
export const fileBytesMax = 5 * 1_024 * 1_024;

export const limits = {
  /** Resident memory of the reader's process, which is killed above it. Checked every 15 ms, so it can be exceeded. */
  residentMb: 600,
  /** The limit of its JavaScript heap; V8 enforces it. */
  heapMb: 448,
  seconds: 10,
  /** Characters of all text together. */
  characters: 16_000_000,
  /** Characters of one cell or line. Excel has the same limit for a cell. */
  lineCharacters: 32_767,
  cells: 2_000_000,
  columns: 1_000,
  pages: 1_000,
  /** Work of the PDF library: a form takes three or four steps, 100 operators take one. Then the bytes that it decodes into. */
  pdfSteps: 50_000,
  pdfBytes: 128_000_000,
  /** States of a page that are saved in one another. Acrobat takes 28. */
  pdfDepth: 1_000,
  /** Files in an archive, then the unpacked bytes of each and of all together. */
  entries: 1_000,
  entryBytes: 80_000_000,
  unpackedBytes: 160_000_000,
};
