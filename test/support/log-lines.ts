// Captures the lines that functions log, so they do not reach standard output.

let lines: string[] = [];

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
  if (typeof chunk !== "string" || !chunk.startsWith('{"level":')) return write(chunk, ...rest);
  lines.push(chunk);
  return true;
}) as typeof process.stdout.write;

/** The captured lines, each with its line break. */
export const capturedLines = (): readonly string[] => lines;

export function dropLines(): void {
  lines = [];
}
