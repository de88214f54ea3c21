// The terminal of the console. Some of its text comes from an API, which can be hostile.

import { visibleLines } from "../../../lib/visible.ts";
import type { Io } from "../../admin/command.ts";
import { withoutSecrets } from "./mask.ts";

/** A shorter text can be part of a word, and is no key of this service. */
const keyLengthMin = 8;

/** The text as a terminal may show it: without the keys of the process, and without control characters. */
export function shownText(text: string, keys: readonly string[]): string {
  const long = keys.filter((each) => each.length >= keyLengthMin);
  return visibleLines(withoutSecrets(text, long));
}

export interface Terminal extends Io {
  /** From now on, no text has these keys. */
  hide(keys: readonly string[]): void;
}

export function terminalOf(io: Io): Terminal {
  let hidden: readonly string[] = [];
  return {
    ...io,
    hide(keys) {
      hidden = keys;
    },
    print: (text) => io.print(shownText(text, hidden)),
    printError: (text) => io.printError(shownText(text, hidden)),
  };
}
