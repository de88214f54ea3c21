// One run of a queue of messages: sends the due messages. One worker at a time runs a queue.
import { measure } from "../call.ts";
import { wake } from "../jobs/wake.ts";
import * as Waiting from "../store/messages/waiting-message.ts";
import type { Dues, InLine } from "./attempt-message.ts";
import { type Channel, messageJob } from "./channel.ts";
import { Circuit } from "./circuit.ts";
import { deliver, held } from "./deliver.ts";

const runMs = 30_000;
/** One conversation is sent while the next ones are made ready. */
const inFlightMax = 4;
/** Due times to read in one query. */
const readMax = 200;
/** How often due times are read while slow attempts are in flight. */
const pollMs = 1_000;
/** Time reserved for the attempts that have begun, with their requests of up to 15 seconds, and for recording them. */
const attemptMs = 32_000;
const dayMs = 24 * 3_600_000;

interface NextRun {
  /** Ms since the epoch. */
  dueAt: number;
  /** Whether runs that threw or died still hold everything that was due. */
  isHeld: boolean;
}

/** Returns when to run again; undefined: nothing waits. */
export async function drainMessages(
  channel: Channel,
  queue: Waiting.MessageQueueRef,
  until: number,
): Promise<NextRun | undefined> {
  const circuit = await Circuit.of(queue);
  const run = new Run(channel, queue, circuit, Math.min(Date.now() + runMs, until - attemptMs));
  await run.untilDone();
  const dueAt = await Waiting.nextDueAt(queue);
  if (dueAt === undefined) return undefined;
  const next = Math.max(dueAt, circuit.pausedUntil);
  // A run that is so late can have lost the lease of its job to a run that has ended by now. Then nothing else would
  // wake the queue for messages that this run has postponed or added to a digest.
  if (Date.now() > until) await wake([messageJob({ ...queue, dueAt: next })]);
  return { dueAt: next, isHeld: run.isHeld };
}

class Run {
  readonly #channel: Channel;
  readonly #queue: Waiting.MessageQueueRef;
  readonly #circuit: Circuit;
  readonly #stopAt: number;
  readonly #inFlight = new Map<string, Promise<void>>();
  #queued: [string, Dues][] = [];
  #line: Promise<unknown> = Promise.resolve();
  #isMeasured = false;
  #failure: { cause: unknown } | undefined;
  readonly #conversations = { held: 0, handled: 0 };

  constructor(channel: Channel, queue: Waiting.MessageQueueRef, circuit: Circuit, stopAt: number) {
    this.#channel = channel;
    this.#queue = queue;
    this.#circuit = circuit;
    this.#stopAt = stopAt;
  }

  async untilDone(): Promise<void> {
    while (this.#mayContinue()) {
      if (this.#queued.length === 0) this.#queued = await this.#readDue();
      const max = this.#circuit.isProbing ? 1 : inFlightMax;
      const next = this.#inFlight.size < max ? this.#queued.shift() : undefined;
      if (next) this.#start(...next);
      else if (this.#inFlight.size === 0) break;
      else await this.#waitForRoom(max);
    }
    await Promise.all(this.#inFlight.values());
    if (this.#failure) throw this.#failure.cause;
  }

  get isHeld(): boolean {
    const { held, handled } = this.#conversations;
    return held > 0 && handled === 0;
  }

  #mayContinue(): boolean {
    const isPaused = this.#circuit.pausedUntil > Date.now() && this.#circuit.surrender === undefined;
    return Date.now() < this.#stopAt && !isPaused && !this.#failure;
  }

  /** The conversations that are due and not in flight. In a pause: only those that end without an attempt. */
  async #readDue(): Promise<[string, Dues][]> {
    const now = Date.now();
    const isPaused = this.#circuit.pausedUntil > now;
    const dues = await Waiting.due(this.#queue, isPaused ? now - dayMs : now, readMax);
    if (!isPaused) this.#measure(now, dues[0]);
    // Another run tries the provider. So this one reads again, as in a pause.
    if (!isPaused && dues.length > 0 && !(await this.#circuit.mayAsk()))
      return this.#mayContinue() ? this.#readDue() : [];
    const byConversation = Map.groupBy(dues, (due) =>
      JSON.stringify([due.userId, due.organizationId, due.documentUid]),
    );
    return [...byConversation].flatMap(([name, [first, ...rest]]): [string, Dues][] =>
      first && !this.#inFlight.has(name) ? [[name, [first, ...rest]]] : [],
    );
  }

  #measure(now: number, oldest: Waiting.DueMessage | undefined): void {
    // Messages that a provider has delayed are no backlog of the service.
    if (oldest && !this.#isMeasured && !this.#circuit.isProbing)
      measure("messageBacklogSeconds", (now - oldest.dueAt) / 1_000);
    this.#isMeasured = true;
  }

  /** Waits until an attempt ends if no more may start. Otherwise at most until more can have become due. */
  async #waitForRoom(max: number): Promise<void> {
    const attempts = [...this.#inFlight.values()];
    if (attempts.length >= max) return Promise.race(attempts);
    let timer: NodeJS.Timeout | undefined;
    const poll = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, pollMs);
    });
    await Promise.race([Promise.all(attempts), poll]);
    clearTimeout(timer);
  }

  #start(name: string, dues: Dues): void {
    const done = this.#deliver(dues)
      .catch((cause: unknown) => {
        this.#failure ??= { cause };
      })
      .finally(() => this.#inFlight.delete(name));
    this.#inFlight.set(name, done);
  }

  readonly #inLine: InLine = (work) => {
    const done = this.#line.then(() => work(this.#mayContinue()));
    // What was not recorded must not be followed by another message.
    this.#line = done.catch((cause: unknown) => {
      this.#failure ??= { cause };
    });
    return done;
  };

  async #deliver(dues: Dues): Promise<void> {
    const now = Date.now();
    const isPaused = this.#circuit.pausedUntil > now;
    const surrender = isPaused && dues[0].dueAt <= now - dayMs ? this.#circuit.surrender : undefined;
    if (isPaused && surrender === undefined) return;
    const answer = await deliver(this.#channel, this.#queue, dues, this.#inLine, surrender);
    this.#conversations[answer === held ? "held" : "handled"]++;
    if (answer !== held) await this.#circuit.note(answer);
  }
}
