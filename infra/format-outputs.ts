// The outputs of the stack that have the formats of its release. `npm run guard` and `npm run admin -- migrate-items` read
// these outputs.
import type { Formats } from "../lib/format/formats.ts";

export function formatOutputs({ oldestRead, newestRead, written }: Formats): Record<string, string> {
  return { ReadFormats: `${oldestRead}-${newestRead}`, WrittenFormat: String(written) };
}

/** A release without these outputs reads and writes the first format. */
export function formatsOf(output: (key: string) => string | undefined): Formats {
  const [oldestRead = 0, newestRead = 0] = (output("ReadFormats") ?? "1-1").split("-").map(Number);
  const found = { oldestRead, newestRead, written: Number(output("WrittenFormat") ?? 1) };
  for (const [name, value] of Object.entries(found)) {
    if (!Number.isInteger(value) || value < 1) throw new Error(`The outputs of the stack have no valid ${name}.`);
  }
  return found;
}
