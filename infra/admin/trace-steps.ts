// What one log line says of a request.

export type Line = Record<string, unknown>;

export interface Step {
  /** ISO 8601. */
  time: string;
  what: string;
  id: string;
  outcome: string;
  attempt?: number;
  durationMs?: number;
  detail: string;
}

/**
 * A line of a call, of a job's run, of an attempt of a delivery or of a message, or of the gateway. Any other line is shown
 * by its message.
 */
export function stepOf(line: Line): Step {
  const time = text(line.time);
  const common = {
    time,
    ...(typeof line.attempt === "number" && { attempt: line.attempt }),
    ...(typeof line.durationMs === "number" && { durationMs: line.durationMs }),
  };
  const { message } = line;
  if (message === "call") {
    const outcome = `${line.status} ${line.http}`;
    return { ...common, what: "call", id: text(line.endpoint), outcome, detail: causeOf(line) };
  }
  if (message === "delivery") {
    const next = line.nextAttemptAt === undefined ? "" : `, next attempt ${line.nextAttemptAt}`;
    const detail = `${(text(line.http) || text(line.error)).replace(/\.$/, "")}${next}`;
    const id = `${line.endpointId}/${line.delivery}`;
    return { ...common, what: "delivery", id, outcome: text(line.outcome), detail };
  }
  if (message === "message") {
    const id = text(line.messageId);
    return { ...common, what: `message ${line.channel}`, id, outcome: text(line.outcome), detail: text(line.error) };
  }
  if (message === "job" || message === "job failed") {
    const what = `job ${text(line.worker)}`;
    return { ...common, what, id: text(line.job), outcome: text(line.outcome), detail: causeOf(line) };
  }
  if (message === undefined && line.route !== undefined) {
    const at = new Date(Number(line.time)).toISOString();
    const detail = line.integrationError === "-" ? "" : text(line.integrationError);
    return { time: at, what: "gateway", id: text(line.route), outcome: text(line.status), detail };
  }
  return { ...common, what: text(line.level), id: text(line.job ?? line.endpoint), outcome: "", detail: text(message) };
}

const text = (value: unknown) => (value === undefined ? "" : String(value));

/** The first line of the cause's stack, which has its name and message. */
export function causeOf({ cause }: Line): string {
  if (typeof cause !== "object" || cause === null) return text(cause);
  const { name, stack } = cause as { name?: string; stack?: string };
  return text(stack ?? name).split("\n", 1)[0] ?? "";
}
