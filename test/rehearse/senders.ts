// Endpoints whose calls start jobs. Each has one process, under its own role.
import type { Credentials } from "../support/call.ts";
import { named } from "../support/contract/requests.ts";
import { problemsOf } from "./calls.ts";
import type { Rehearsal, Started } from "./rehearsal.ts";
import { type Row, rowOf } from "./report.ts";
import type { Run } from "./runtime/process.ts";

interface Sender {
  started: Started;
  runs: Run[];
  problems: string[];
}

export class Senders {
  readonly #rehearsal: Rehearsal;
  readonly #as: Credentials;
  readonly #all = new Map<string, Sender>();

  constructor(rehearsal: Rehearsal, as: Credentials) {
    this.#rehearsal = rehearsal;
    this.#as = as;
  }

  /** Calls the endpoint. `isTry`: its reply may be a failure. */
  async send(name: string, data: object, { isTry = false } = {}): Promise<Run> {
    const sender = this.#all.get(name) ?? { started: await this.#rehearsal.start(name), runs: [], problems: [] };
    this.#all.set(name, sender);
    const run = await this.#rehearsal.call(named(name), sender.started, { as: this.#as, data });
    sender.runs.push(run);
    if (!isTry) sender.problems.push(...problemsOf(named(name))(run));
    return run;
  }

  rows(): Row[] {
    return [...this.#all].map(([name, { started, runs, problems }]) =>
      rowOf(this.#rehearsal.function(name), started, runs, problems),
    );
  }

  /** Ends the process of one endpoint. */
  async stop(name: string): Promise<void> {
    await this.#all.get(name)?.started.process.end();
    this.#all.delete(name);
  }

  async end(): Promise<void> {
    await Promise.all([...this.#all.keys()].map((name) => this.stop(name)));
  }
}
