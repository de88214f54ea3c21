// The exact tests start no process: this one reads the files. The tests of engines read them in processes.
import childProcess, { type ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { FileKind } from "../../../lib/ingest/file-type.ts";
import { readerCode } from "../../../lib/ingest/lock.ts";
import { outputOf } from "../../../lib/ingest/reader/main.ts";

/** Replaces `spawn` for the process that reads a file. */
export function readInThisProcess(): void {
  const spawn = childProcess.spawn as (...of: unknown[]) => ChildProcess;
  const replacement = (command: string, args: string[], options: object) =>
    args.includes(readerCode) ? reader(args.at(-1) as FileKind) : spawn(command, args, options);
  childProcess.spawn = replacement as typeof childProcess.spawn;
  syncBuiltinESMExports();
}

function reader(kind: FileKind) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const child = Object.assign(new EventEmitter(), { stdin, stdout, kill });
  let isKilled = false;
  function kill(): void {
    isKilled = true;
    child.emit("close", null, "SIGKILL");
  }
  void buffer(stdin).then(async (bytes) => {
    stdout.end(await outputOf(bytes, kind));
    stdout.on("end", () => isKilled || child.emit("close", 0, null));
  });
  return child;
}
