// Reads the log lines that the local server keeps in the data folder. They include those of earlier starts.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { currentName, formerName } from "../../../local/log-file.ts";

const chunkBytes = 1_024 * 1_024;

/** Returns a function that adds the lines which were written since its last call, at first all of them. */
export function logReader(folder: string, addLine: (line: Record<string, unknown>) => void): () => Promise<void> {
  let read: { inode: number; offset: number } | undefined;
  let running: Promise<void> = Promise.resolve();

  async function readNew(): Promise<void> {
    const current = await inodeOf(join(folder, currentName));
    const isNew = current !== undefined && read?.inode !== current;
    // The file that was read has become the former one, and may have got lines before.
    if (isNew) await readFrom(join(folder, formerName), (inode) => (read?.inode === inode ? read.offset : 0));
    if (current !== undefined) {
      const offset = await readFrom(join(folder, currentName), () => (isNew ? 0 : (read?.offset ?? 0)));
      read = { inode: current, offset };
    }
  }

  async function readFrom(path: string, start: (inode: number) => number): Promise<number> {
    const file = await open(path).catch(ifMissing);
    if (!file) return 0;
    try {
      let offset = start((await file.stat()).ino);
      const buffer = Buffer.alloc(chunkBytes);
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, chunkBytes, offset);
        // A line that is not complete yet is read the next time. A line that fills the whole chunk is left out.
        const end = buffer.subarray(0, bytesRead).lastIndexOf("\n") + 1 || (bytesRead === chunkBytes ? bytesRead : 0);
        if (end === 0) return offset;
        for (const line of buffer.toString("utf8", 0, end).split("\n")) add(line);
        offset += end;
      }
    } finally {
      await file.close();
    }
  }

  function add(line: string): void {
    if (!line.startsWith("{") || !line.endsWith("}")) return; // A killed server, or a long line, can leave a part of a line.
    try {
      addLine(JSON.parse(line));
    } catch {
      // As above.
    }
  }

  return async () => {
    running = running.then(readNew, readNew);
    await running;
  };
}

async function inodeOf(path: string): Promise<number | undefined> {
  const file = await open(path).catch(ifMissing);
  if (!file) return undefined;
  try {
    return (await file.stat()).ino;
  } finally {
    await file.close();
  }
}

function ifMissing(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code !== "ENOENT") throw thrown;
}
