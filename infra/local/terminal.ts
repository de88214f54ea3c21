// What `npm start` shows of calls and jobs on a terminal. Also its one key: Enter prints an address of the console.
import { createInterface } from "node:readline";
import { jsonIn } from "../../lib/json.ts";
import { visibleLines } from "../../lib/visible.ts";
import { callLine, type LogLine, logLine, styleOf } from "./call-line.ts";
import type { ServedCall } from "./gateway.ts";
import { isInForeground } from "./processes.ts";

/** Most log lines that wait for the replies of their calls. A call has no reply when its client has gone. */
const keptMax = 1_000;

interface CallLines {
  /** Takes the place of the function that writes to standard output. */
  write(chunk: string | Uint8Array): boolean;
  onCall(call: ServedCall): void;
}

/** Writes log lines as they are, without characters that control the terminal. */
export function visibleJsonLines(print: (text: string) => boolean): CallLines["write"] {
  return (chunk) => print(visibleLines(textOf(chunk)));
}

const textOf = (chunk: string | Uint8Array) => (typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());

/** Turns log lines and calls into short lines. */
export function callLines(print: (text: string) => boolean, hasColors = true): CallLines {
  const style = styleOf(hasColors);
  const logged = new Map<unknown, LogLine>();
  /** The ids of calls that are left out. */
  const quiet = new Set<unknown>();
  return {
    write(chunk) {
      const line = parsed(chunk);
      if (!line) return print(visibleLines(textOf(chunk)));
      // It waits for the reply, which has the path and the message.
      if (line.message !== "call") return isShown(line, quiet) ? print(`${logLine(line, style)}\n`) : true;
      if (logged.size >= keptMax) logged.clear();
      logged.set(line.correlation_id, line);
      return true;
    },
    onCall(call) {
      const id = call.reply.headers?.["x-request-id"];
      const isQuiet = call.isLook === true && (call.reply.statusCode ?? 200) < 400;
      if (!isQuiet) print(`${callLine(call, logged.get(id), new Date(), style)}\n`);
      logged.delete(id);
      if (quiet.size >= keptMax) quiet.clear();
      if (call.isLook) quiet.add(id);
    },
  };
}

/** The scheduled worker logs a line each minute. A job that a quiet call has caused is quiet too. */
const isShown = ({ level, message, correlation_id: id }: LogLine, quiet: ReadonlySet<unknown>) =>
  level !== "info" || (message === "job" && !quiet.has(id));

function parsed(chunk: string | Uint8Array): LogLine | undefined {
  return typeof chunk === "string" && chunk.startsWith('{"level":')
    ? (jsonIn(chunk) as LogLine | undefined)
    : undefined;
}

/**
 * Calls `print` each time that the user presses Enter. Returns false when nobody can: without a terminal, or in the
 * background, where the system would stop a process that reads from the terminal.
 */
export function onEnter(print: () => void): boolean {
  if (!process.stdin.isTTY || !isInForeground()) return false;
  createInterface({ input: process.stdin }).on("line", print);
  return true;
}
