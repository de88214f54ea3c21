// The service as source in this process, over a table in memory. Its queues are not used: `drain` runs the jobs.
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { KMSClient } from "@aws-sdk/client-kms";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { expect, vi } from "vitest";
import { endpoints, workers } from "../../infra/deployables.ts";
import { forUsers } from "../../lib/browser/gate.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { pages } from "../../lib/http/html-page.ts";
import { lambda, openLambda } from "../../lib/http/lambda.ts";
import type { QueueWorker } from "../../lib/jobs/worker.ts";
import type { AwsCommand } from "./aws/edge.ts";
import { type Credentials, contextOf, eventOf, newWorkspace } from "./call.ts";
import { newTableInMemory } from "./engine/in-memory.ts";
import { receive } from "./run-worker.ts";
import { openJobs } from "./scan.ts";
import { organizationId } from "./workspace.ts";

/** Longer than every delay and every lease of a job or of an Idempotency-Key. */
const recoveryMs = 100_000;
const roundsMax = 30;
const handlerOf = (each: Endpoint) =>
  each.envelope === "page" ? openLambda(each, pages) : lambda(each, each.users && forUsers);
const handlers = new Map(endpoints.map((each) => [each.name, handlerOf(each)]));
const workerOf = (kind: string) => workers.find((each) => each.kind === "queue" && each.jobs === kind) as QueueWorker;

export const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** One process of a function. It dies when it has made this number of AWS calls. */
export interface Process {
  callsLeft: number;
  /** The kind of AWS call after which it dies in any case. */
  last?: string | undefined;
  /** The kind of AWS call before which it waits. */
  held?: { at: string; until: Promise<void> };
}
export const processes = new AsyncLocalStorage<Process>();

/** Throws in a process that is dead. */
export function spendCall(): void {
  const process = processes.getStore();
  if (process && process.callsLeft-- <= 0) {
    throw Object.assign(new Error("The process was killed."), { name: "ProcessKilled" });
  }
}

/** The number of turns of the event loop that an AWS call waits, so that concurrent calls interleave. */
type Turns = () => number;

let turnsOf: Turns = () => 0;

// Not by mocks: these keep all that they have seen, and a run has very many calls.
for (const client of [DynamoDBDocumentClient, KMSClient, SQSClient]) {
  const prototype = client.prototype as unknown as { send(command: AwsCommand, ...rest: unknown[]): Promise<unknown> };
  const { send } = prototype;
  prototype.send = async function (this: unknown, command, ...rest) {
    await wait(turnsOf());
    spendCall();
    const { held } = processes.getStore() ?? {};
    if (held?.at === command.constructor.name) await held.until;
    const reply = client === SQSClient ? {} : await send.call(this, command, ...rest);
    const process = processes.getStore();
    if (process && process.last === command.constructor.name) process.callsLeft = 0;
    await wait(turnsOf());
    return reply;
  };
}

export interface Service {
  as: Credentials;
  /** Calls an endpoint. Returns `result.data`, the status of the failure, or DIED instead of a reply. */
  // biome-ignore lint/suspicious/noExplicitAny: replies differ
  call(endpoint: Pick<Endpoint, "name">, data: object, options?: { key?: string; callsMax?: number }): Promise<any>;
  /** Runs all jobs to their end. With `callsOf`, the first runs die. */
  drain(callsOf?: () => number | undefined): Promise<void>;
  /** Runs each job of these kinds once. Returns whether there was one. */
  work(isDue: (kind: string) => boolean): Promise<boolean>;
}

export async function newService(turns: Turns): Promise<Service> {
  newTableInMemory();
  const as = await newWorkspace();
  turnsOf = turns;
  return {
    as,
    async call({ name }, data, { key, callsMax = Number.POSITIVE_INFINITY } = {}) {
      const declared = endpoints.find((each) => each.name === name) as Endpoint;
      const headers = key === undefined ? {} : { "idempotency-key": key };
      const event = eventOf(declared, { as, data: { organizationId, ...data }, headers });
      const run = () => handlers.get(name)?.(event as never, contextOf(name) as never);
      const process = { callsLeft: callsMax };
      const reply = (await processes.run(process, run)) as { body: string };
      if (process.callsLeft < 0) return "DIED";
      const { error, result } = JSON.parse(reply.body);
      return error ? error.status : (result?.data ?? result);
    },
    drain: (callsOf) => drain(as, callsOf),
    work: (isDue) => work(as, () => undefined, isDue),
  };
}

async function wait(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await nextTurn();
}

async function drain(as: Credentials, callsOf: () => number | undefined = () => undefined): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    if (!(await work(as, round < 2 ? callsOf : () => undefined))) return;
  }
  expect.fail("A job is stuck.");
}

/** Runs each job of these kinds once. Returns whether there was one. */
async function work(
  { apiKey }: Credentials,
  callsOf: () => number | undefined,
  isDue: (kind: string) => boolean = () => true,
): Promise<boolean> {
  const open = (await openJobs()).filter(({ workspace, state }) => workspace === apiKey && state !== "failed");
  const jobs = open.filter(({ kind }) => isDue(kind));
  if (jobs.length === 0) return false;
  later(recoveryMs);
  for (const { kind, id } of jobs.sort((one, other) => one.dueAt - other.dueAt)) {
    const callsLeft = callsOf() ?? Number.POSITIVE_INFINITY;
    await processes.run({ callsLeft }, () => receive(workerOf(kind), [id], 60_000));
  }
  return true;
}
