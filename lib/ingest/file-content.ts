/** The text of a file as people see it. */
export interface Content {
  /** A row of a table, or a line of a text. The cells of a row stand in their places, joined by " | ". */
  lines: string[];
  /** Unnumbered lines: the name of a sheet or page, or a blank line of a text (""). It stands before the line `before`. */
  marks: { before: number; text: string }[];
  /** What the lines leave out, as sentences for people: "The sheet Plan has 3 hidden rows." */
  notes: string[];
}

/** Why a file cannot be read, with the public message. */
export const problems = {
  encrypted: "The file is encrypted. Save it without a password.",
  damaged: "The file is damaged, or not of its type. Save it again in its program.",
  empty: "The file has no text. If it is a scan, recognize its text (OCR) first.",
  tooLarge: "The file is too large to read. Use fewer pages, rows or columns.",
  tooSlow: "The file took too long to read. Use fewer pages, rows or columns.",
  tooMuchMemory: "The file needs too much memory to read. Use fewer pages, rows or columns.",
} as const;
export type Problem = keyof typeof problems;

/** Readers throw it. Their process catches it and reports the problem. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
  readonly problem: Problem;

  constructor(problem: Problem, options: { cause?: unknown } = {}) {
    super(problems[problem], options);
    this.problem = problem;
  }
}
