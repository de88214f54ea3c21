// The lines of an activity log, whose hashes a browser verifies. So a line is as it was written, or it is marked.
import { Transform } from "node:stream";
import { withoutSecrets } from "./mask.ts";

/**
 * Hides auth tokens in lines. A line that has one becomes `{"hidden":mark,"line":…}`, where `line` is the text without
 * them. The reader of the log chooses a mark that nobody can guess: a log that was changed cannot have the mark.
 */
export function hidingLines(tokens: readonly string[], mark: string): Transform {
  return new Transform({
    // Each chunk is whole lines.
    transform: (chunk, _encoding, done) => done(null, String(chunk).replaceAll(/[^\n]+/g, shown)),
    writableObjectMode: true,
  });

  function shown(text: string): string {
    const line = withoutSecrets(text, tokens);
    return line === text ? text : JSON.stringify({ hidden: mark, line });
  }
}
