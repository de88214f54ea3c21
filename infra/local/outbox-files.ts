// What the local server would have sent: a file for each message, in the data folder. Names sort by time.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beginning } from "../../lib/beginning.ts";
import { replace } from "./files.ts";

export interface LocalMessage {
  to: string;
  /** The subject or the first words. */
  subject: string;
  extension: string;
  content: string | Buffer;
}

export interface Outbox {
  write(message: LocalMessage): void;
}

/** Of each of the two texts. A file system takes 255 bytes, and a draft of the file has a longer name. */
const bytesMax = 80;

/** `onMessage` gets the path of each file. */
export function outboxIn(folder: string, onMessage: (path: string) => void = () => {}): Outbox {
  let written = 0;
  return {
    write({ to, subject, extension, content }) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const time = new Date().toISOString().replaceAll(":", "-");
      const number = String(++written).padStart(4, "0");
      const path = join(
        folder,
        [`${time}-${number}`, plain(to), plain(subject)].filter(Boolean).join("_").concat(`.${extension}`),
      );
      replace(path, content);
      onMessage(path);
    },
  };
}

/** Only characters that a file name can have everywhere. */
function plain(text: string): string {
  const words = text.toWellFormed().replace(/[^\p{L}\p{M}\p{N}@.+-]+/gu, "-");
  let shown = beginning(words, bytesMax);
  while (Buffer.byteLength(shown) > bytesMax) shown = beginning(shown, shown.length - 1);
  return shown.replace(/^[-.]+|(?<![-.])[-.]+$/g, "");
}
