/** What a file says, line by line: a row of a table, a bullet, a paragraph. */
export interface Content {
  lines: string[];
  /** Indexes of those that name others instead of asking for something: headings, a table's first row. */
  titles: number[];
}

/** Why a file cannot be read, with what may be said of it. */
export const problems = {
  encrypted: "The file is encrypted.",
  damaged: "The file is damaged, or not of its type.",
  empty: "The file has no readable text.",
  tooLarge: "The file holds more than can be read: fewer pages, rows or columns are needed.",
  tooSlow: "The file took too long to read.",
  tooMuchMemory: "The file needs too much memory to read.",
} as const;
export type Problem = keyof typeof problems;

/** Thrown by the readers; caught in their process. */
export class UnreadableFile extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, options: { cause?: unknown } = {}) {
    super(problems[problem], options);
    this.problem = problem;
  }
}
