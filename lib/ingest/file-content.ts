/** The text of a file as lines. A line is a row of a table, a bullet or a paragraph. */
export interface Content {
  lines: string[];
  /** Indexes of the lines that are not tasks: headings, and header rows of tables. */
  titles: number[];
}

/** Why a file cannot be read, with the public message. */
export const problems = {
  encrypted: "The file is encrypted.",
  damaged: "The file is damaged, or not of its type.",
  empty: "The file has no readable text.",
  tooLarge: "The file is too large to read. Use fewer pages, rows or columns.",
  tooSlow: "The file took too long to read.",
  tooMuchMemory: "The file needs too much memory to read.",
} as const;
export type Problem = keyof typeof problems;

/** Readers throw it. Their process catches it and reports the problem. */
export class UnreadableFile extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, options: { cause?: unknown } = {}) {
    super(problems[problem], options);
    this.problem = problem;
  }
}
