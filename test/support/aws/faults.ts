// Injects a fault at each call of the workers to AWS in turn. The sweeper then recovers the job, and a check compares
// the final state with that of a run without a fault. Only the queues and the sweeper start jobs. The workers run as
// source and not as bundles, because only calls of this process are intercepted.
import { AsyncLocalStorage } from "node:async_hooks";
import { expect, vi } from "vitest";
import type { JobKind } from "../../../lib/grants.ts";
import { sweep } from "../../../lib/jobs/sweep.ts";
import { partitionsOf } from "../../../lib/store/job.ts";
import { newTableInMemory } from "../engine/in-memory.ts";
import { callsStep, isLong, largeStep } from "../long.ts";
import { deliver, workerOf } from "../run-worker.ts";
import { itemsOf } from "../scan.ts";
import { type AwsCommand, atAwsEdge } from "./edge.ts";
import { throttled } from "./faulted-calls.ts";

const allFaults = [
  "call not made",
  "reply lost",
  "throttled",
  "process killed",
  "process killed after the call",
  "woken after its lease ended",
] as const;
export type Fault = (typeof allFaults)[number];

/** Each of the exact tests' faults loses something else: a reply, a process, a lease. The long trial has all of them. */
export const faults: readonly Fault[] = isLong
  ? allFaults
  : ["reply lost", "process killed", "woken after its lease ended"];

/** Longer than every lease and every postponement by a first sweep. */
const recoveryMs = 3_600_000;
/** More than a day: a digest waits for the next one. */
const sweepsMax = 40;

export interface Scene {
  /** Stores the initial items and sends the job's message. Returns the workspace. No fault is injected here. */
  arrange(): Promise<string>;
  /** The time that a worker has for one run, ms. */
  remainingMs?: number;
  /** May change a command, so that pages are small. */
  before?(command: AwsCommand): void;
  /** The scene has hundreds of calls, most of which smaller scenes make too. */
  isLarge?: boolean;
  /** Other calls, made once: just before the call with the fault. */
  beside?(workspace: string): Promise<void>;
}

/**
 * Runs the scene until its jobs are done, with `fault` at call number `at`, or without a fault.
 */
export async function endAfter(scene: Scene, fault?: Fault, at = 0) {
  // Scans and sweeps read the whole table, so earlier runs would slow this one.
  newTableInMemory();
  const run = new Run(scene);
  const isBeside = new AsyncLocalStorage<true>();
  let workspace = "";
  const beside = async () => isBeside.run(true, async () => scene.beside?.(workspace));
  const disturbance = fault && new Disturbance(fault, at, beside);
  atAwsEdge((command, call) => {
    const made = () => run.pass(command, call);
    if (isBeside.getStore()) return made();
    scene.before?.(command);
    return disturbance ? disturbance.pass(command, made) : made();
  });
  try {
    workspace = await scene.arrange();
    await disturbance?.during(
      () => run.work(),
      () => run.recover(workspace),
    );
    await run.recover(workspace);
    return { workspace, isReached: disturbance?.isReached ?? false };
  } finally {
    vi.restoreAllMocks();
  }
}

/** Runs the scene once for each of the fault's calls, with the fault at that call. Returns about the number of calls. */
export async function atEveryCall(
  scene: Scene,
  fault: Fault,
  check: (workspace: string, what: string) => Promise<void>,
): Promise<number> {
  const step = scene.isLarge ? largeStep : callsStep;
  for (let at = allFaults.indexOf(fault) % step; ; at += step) {
    const { workspace, isReached } = await endAfter(scene, fault, at);
    await check(workspace, `${fault} at call ${at}`);
    if (!isReached) return at;
  }
}

/** The queues of one run, and the workers that read them. */
class Run {
  #messages: { kind: JobKind; id: string; dueAt: number }[] = [];
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  /** Keeps messages that are sent to a queue. Every other call goes to its engine. */
  async pass({ constructor: { name }, input }: AwsCommand, call: () => Promise<unknown>): Promise<unknown> {
    if (name !== "SendMessageBatchCommand") return call();
    const kind = String(input.QueueUrl).split("/").at(-1) as JobKind;
    for (const { MessageBody, DelaySeconds } of input.Entries as { MessageBody: string; DelaySeconds: number }[]) {
      this.#messages.push({ kind, id: MessageBody, dueAt: Date.now() + DelaySeconds * 1_000 });
    }
    return {};
  }

  /** Delivers each message once, when it is due. A failed job is left to the sweeper. */
  async work(): Promise<void> {
    for (let message = this.#messages.shift(); message; message = this.#messages.shift()) {
      if (message.dueAt > Date.now()) vi.setSystemTime(message.dueAt);
      await deliver(workerOf(message.kind), [message.id], this.#scene.remainingMs);
    }
  }

  async recover(workspace: string): Promise<void> {
    await this.work();
    for (let sweeps = 0; (await unfinished(workspace)) > 0; sweeps++) {
      if (sweeps === sweepsMax) expect.fail("A job is stuck.");
      vi.setSystemTime(Date.now() + recoveryMs);
      await sweep(partitionsOf(workspace), Date.now() + 60_000);
      await this.work();
    }
  }
}

const unfinished = async (workspace: string) =>
  (await itemsOf(workspace)).filter(({ pk, state }) => pk.startsWith("JOB#") && state !== "done").length;

/** Injects the fault at one call. A worker that sleeps in the call wakes after the sweeper has recovered its job. */
class Disturbance {
  isReached = false;
  #calls = 0;
  #isOn = false;
  readonly #asleep = Promise.withResolvers<void>();
  readonly #awake = Promise.withResolvers<void>();
  readonly #fault: Fault;
  readonly #at: number;
  readonly #beside: () => Promise<void>;

  constructor(fault: Fault, at: number, beside: () => Promise<void>) {
    this.#fault = fault;
    this.#at = at;
    this.#beside = beside;
  }

  async during(work: () => Promise<void>, recovery: () => Promise<void>): Promise<void> {
    this.#isOn = true;
    const ended = work();
    await Promise.race([ended, this.#asleep.promise]);
    this.#isOn = false;
    if (this.#fault === "woken after its lease ended" && this.isReached) await recovery();
    this.#awake.resolve();
    await ended;
  }

  async pass(command: AwsCommand, made: () => Promise<unknown>): Promise<unknown> {
    if (!this.#isOn) return made();
    const isHere = this.#calls++ === this.#at;
    if (isHere) await this.#beside();
    this.isReached ||= isHere;
    if (this.#fault === "process killed" && this.isReached) throw failure("The process was killed.");
    if (this.#fault === "process killed after the call" && this.isReached && !isHere)
      throw failure("The process was killed.");
    if (!isHere) return made();
    if (this.#fault === "process killed after the call") {
      await made();
      throw failure("The process was killed.");
    }
    if (this.#fault === "throttled") return throttled(command);
    if (this.#fault === "call not made") throw failure("The call was not made.");
    if (this.#fault === "reply lost") {
      await made();
      throw failure("The reply was lost.");
    }
    this.#asleep.resolve();
    await this.#awake.promise;
    return made();
  }
}

const failure = (message: string) => new Error(message);
