// What a run has found, and how often each endpoint was called with which outcome.
import { appendFileSync } from "node:fs";
import type { Request } from "./connection.ts";

export interface Origin {
  client: string;
  /** The number of the client's request. */
  number: number;
  request: Request;
}

const shownMax = 20;

export class Report {
  readonly findings: string[] = [];
  readonly #calls = new Map<string, Map<string, number>>();
  readonly #events = new Map<string, number>();
  readonly #seed: number;
  readonly #file: string;
  requests = 0;

  constructor(seed: number, file: string) {
    this.#seed = seed;
    this.#file = file;
  }

  /** Records a finding. Prints the first ones; the file has all. */
  find(what: string, origin?: Origin, reply?: string): void {
    const lines = [
      `FINDING ${this.findings.length + 1}: ${what}`,
      `  seed ${this.#seed}${origin ? `, client ${origin.client}, request ${origin.number}` : ""}`,
      ...(origin ? [`  ${curl(origin.request)}`] : []),
      ...(reply === undefined ? [] : [`  reply: ${reply.slice(0, 2_000)}`]),
    ];
    this.findings.push(what);
    appendFileSync(this.#file, `${new Date().toISOString()} ${lines.join("\n")}\n\n`);
    if (this.findings.length <= shownMax) console.log(`\n${lines.join("\n")}`);
  }

  count(endpoint: string, outcome: string): void {
    this.requests += 1;
    const outcomes = this.#calls.get(endpoint) ?? new Map<string, number>();
    this.#calls.set(endpoint, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1));
  }

  /** Counts what is no request: a kill, a log line. */
  note(event: string): void {
    this.#events.set(event, (this.#events.get(event) ?? 0) + 1);
  }

  countOf(outcome: string): number {
    return [...this.#calls.values()].reduce((sum, outcomes) => sum + (outcomes.get(outcome) ?? 0), 0);
  }

  summary(): string {
    const rows = [...this.#calls].sort().map(([endpoint, outcomes]) => {
      const counts = [...outcomes].sort(([, one], [, other]) => other - one);
      return `${endpoint.padEnd(34)} ${counts.map(([outcome, count]) => `${outcome} ${count}`).join(", ")}`;
    });
    const events = [...this.#events].sort().map(([event, count]) => `${event}: ${count}`);
    return [...rows, "", ...events].join("\n");
  }
}

const bodyShownMax = 4_000;

/** A command that sends the request again. `$URL` is the address of the service. */
function curl({ method, path, headers, body }: Request): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const fields = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const text = typeof body === "string" ? body : `<base64 ${body.toString("base64").slice(0, bodyShownMax)}>`;
  const content = text.length > bodyShownMax ? `${text.slice(0, bodyShownMax)}… (${text.length} characters)` : text;
  return [`curl -s -X ${method} "$URL"${quoted(path)}`, ...fields, `-d ${quoted(content)}`].join(" ");
}
