// Texts with their expected tasks, and the precision and recall of a reader on them.
// In a file of samples, `=== name` begins a sample. The first character of each further line says what the line is:
// `+` the beginning of a task (in prose: of a paragraph), `|` its continuation, `~` its continuation without a space,
// `#` a title, `.` no text. Everything before `¦` is a mark, such as a bullet, and not a part of the task.
import { readFileSync } from "node:fs";
import type { Content } from "../../lib/ingest/file-content.ts";
import { root } from "./sources.ts";

export interface TaskSample {
  name: string;
  text: string;
  tasks: string[];
}

export interface Figures {
  samples: number;
  expected: number;
  /** Shares of 1, to four digits. */
  precision: number;
  recall: number;
}

const folder = `${root}/test/lib/ingest/samples`;

/** The samples of one file, with this line end. */
export function taskSamples(file: string, lineEnd = "\n"): TaskSample[] {
  const [, ...parts] = readFileSync(`${folder}/${file}.txt`, "utf8").split(/^=== /m);
  return parts.map((part) => {
    const [name = "", ...marked] = part.trimEnd().split("\n");
    const text = marked.map((line) => line.slice(2).replace("¦", "")).join(lineEnd);
    return { name, text, tasks: tasksOf(marked) };
  });
}

function tasksOf(marked: readonly string[]): string[] {
  const tasks: string[] = [];
  for (const line of marked) {
    const text = plain(line.slice(2).replace(/^.*¦|^> /, ""));
    if (line[0] === "+") tasks.push(text);
    if (line[0] === "|") tasks[tasks.length - 1] += ` ${text}`;
    if (line[0] === "~") tasks[tasks.length - 1] += text;
  }
  return tasks;
}

/** Runs of spaces, and the borders of a table, do not count. */
const plain = (text: string) => text.replace(/\s+/g, " ").replace(/^[|\s]+|[|\s]+$/g, "");

/** What the reader finds in each sample. A task counts only if its whole text is right. */
export function figuresOf(samples: readonly TaskSample[], read: (text: string) => Content): Figures {
  let [expected, found, right] = [0, 0, 0];
  for (const { text, tasks } of samples) {
    const actual = foundIn(text, read);
    expected += tasks.length;
    found += actual.length;
    right += tasks.filter((task) => actual.includes(task)).length;
  }
  const share = (total: number) => Math.round((right / total) * 10_000) / 10_000;
  return { samples: samples.length, expected, precision: share(found), recall: share(expected) };
}

export function foundIn(text: string, read: (text: string) => Content): string[] {
  const { lines, titles } = read(text);
  return lines.filter((_, index) => !titles.includes(index)).map(plain);
}
