// Stops a run at each of its calls to AWS in turn, in each way that it can be stopped, lets it recover, and looks at
// what is left. The calls are this process's, so what runs must be source and not a bundle.
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { expect, vi } from "vitest";
import type { Command } from "./intercept-store.ts";

export const faults = [
  "call not made",
  "answer lost",
  "throttled",
  "process gone",
  "woken after its lease ended",
] as const;
type Fault = (typeof faults)[number];

type Send = (this: unknown, command: Command, ...rest: unknown[]) => Promise<unknown>;

/** Runs that a recovery may take. */
const recoveriesMax = 50;
/** Beyond every lease and delay. */
const recoveryMs = 3_600_000;

interface Scene<Subject> {
  /** What each run starts from; nothing of it is disturbed. */
  arrange(): Promise<Subject>;
  /** Whether the end state is that of an undisturbed run. */
  check(subject: Subject, what: string): Promise<void>;
  /** May change a command, to make pages small. */
  before?(command: Command): void;
}

/**
 * `run` works at the subject and answers true once nothing is left to do; it is run again, an hour later by the clock
 * (fake timers for Date are the caller's), until it does. Answers how many calls an undisturbed run makes.
 */
export async function everyFault<Subject>(
  run: (subject: Subject) => Promise<boolean>,
  { arrange, check, before = () => {} }: Scene<Subject>,
): Promise<number> {
  let calls = 0;
  for (const fault of faults) {
    for (let at = 0, isReached = true; isReached; at++) {
      const subject = await arrange();
      const disturbance = new Disturbance(fault, at, before);
      try {
        await disturbance.during(
          () => run(subject),
          () => recover(run, subject),
        );
        await recover(run, subject);
        await check(subject, `${fault} at call ${at}`);
      } finally {
        disturbance.restore();
      }
      isReached = disturbance.isReached;
      calls = at;
    }
  }
  return calls;
}

async function recover<Subject>(run: (subject: Subject) => Promise<boolean>, subject: Subject): Promise<void> {
  for (let attempt = 0; attempt < recoveriesMax; attempt++) {
    vi.setSystemTime(Date.now() + recoveryMs);
    if (await run(subject)) return;
  }
  expect.fail("It did not recover.");
}

class Disturbance {
  isReached = false;
  #calls = 0;
  #isOn = false;
  readonly #asleep = Promise.withResolvers<void>();
  readonly #awake = Promise.withResolvers<void>();
  readonly #spies: { mockRestore(): void }[];
  readonly #fault: Fault;
  readonly #at: number;
  readonly #before: (command: Command) => void;

  constructor(fault: Fault, at: number, before: (command: Command) => void) {
    this.#fault = fault;
    this.#at = at;
    this.#before = before;
    this.#spies = [DynamoDBDocumentClient, SQSClient].map(({ prototype }) => this.#intercept(prototype as never));
  }

  restore(): void {
    for (const spy of this.#spies) spy.mockRestore();
  }

  /** Disturbs the work; whoever falls asleep in it wakes after the others have recovered. */
  async during(work: () => Promise<unknown>, recovery: () => Promise<void>): Promise<void> {
    this.#isOn = true;
    const ended = work().catch(() => {});
    await Promise.race([ended, this.#asleep.promise]);
    this.#isOn = false;
    if (this.isReached && this.#fault === "woken after its lease ended") await recovery();
    this.#awake.resolve();
    await ended;
  }

  #intercept(prototype: { send: Send }) {
    const send = prototype.send;
    const disturbance = this;
    return vi.spyOn(prototype, "send").mockImplementation(async function (this: unknown, command, ...rest) {
      disturbance.#before(command);
      return disturbance.#pass(command, () => send.call(this, command, ...rest));
    });
  }

  async #pass(command: Command, made: () => Promise<unknown>): Promise<unknown> {
    if (!this.#isOn) return made();
    const isHere = this.#calls++ === this.#at;
    this.isReached ||= isHere;
    if (this.#fault === "process gone" && this.isReached) throw new Error("The process is gone.");
    if (!isHere) return made();
    if (this.#fault === "throttled") return throttled(command);
    if (this.#fault === "call not made") throw new Error("The call was not made.");
    if (this.#fault === "woken after its lease ended") {
      this.#asleep.resolve();
      await this.#awake.promise;
      return made();
    }
    await made();
    throw new Error("The answer was lost.");
  }
}

/** As a throttled table answers: a batch with what is unprocessed, any other call with an error. */
function throttled({ constructor: { name }, input }: Command): unknown {
  if (name === "BatchWriteCommand") return { UnprocessedItems: input.RequestItems };
  if (name === "BatchGetCommand") return { UnprocessedKeys: input.RequestItems };
  throw Object.assign(new Error("Throttled."), { name: "ProvisionedThroughputExceededException" });
}
