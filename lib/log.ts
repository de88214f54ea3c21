// Structured logs on standard output, one JSON object on each line. They never contain bodies or secrets.

export type LogLevel = "info" | "warn" | "error";

/** Writes one line. Of an error in `cause`, it shows the name, the stack (with the message) and the inner causes. */
export function log(level: LogLevel, message: string, fields: Record<string, unknown> = {}): void {
  const line: Record<string, unknown> = { level, time: new Date().toISOString(), message, ...fields };
  if (fields.cause) line.cause = causeOf(fields.cause);
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function causeOf(thrown: unknown, depth = 0): unknown {
  if (!(thrown instanceof Error)) return String(thrown);
  const next = thrown.cause !== undefined && depth < 4 ? { cause: causeOf(thrown.cause, depth + 1) } : {};
  return { name: thrown.name, stack: thrown.stack, ...next };
}
