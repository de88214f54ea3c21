// Runs deployed functions: each process has its own role, and its jobs go through the queues of the template.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import type { QueueWorker } from "../../lib/jobs/worker.ts";
import { loopsMax, traceOfInvocation } from "./aws/chain.ts";
import { type Edge, startEdge } from "./aws/edge.ts";
import { arnOf } from "./aws/needs.ts";
import { isAllowed, type Statement } from "./aws/policy.ts";
import { Queues, recordOf } from "./aws/queues.ts";
import { firstDenied, newSession, type Session } from "./aws/session.ts";
import { type Deployed, type DeployedFunction, synthesize } from "./aws/template.ts";
import { eventOf, type Sent } from "./events.ts";
import { logStream } from "./runtime/environment.ts";
import { type LambdaProcess, type Run, startFunction } from "./runtime/process.ts";

export interface Started {
  process: LambdaProcess;
  session: Session;
  invoke(event: unknown, trace?: string): Promise<Run>;
}

/** How often the jobs of one workspace may run. */
const runsMax = 300;

/** Loopback addresses are not public, and the receivers and models of the rehearsal listen there. */
const own = { EGRESS_ALLOW_CIDRS: "127.0.0.0/8" };

export class Rehearsal {
  readonly deployed: Deployed;
  readonly queues: Queues;
  /** Advances to the time of the next message, so that nothing waits. */
  clockOffsetMs = 0;
  /** Recursive chains that Lambda would have stopped. */
  readonly stopped: string[] = [];
  /** The most invocations of one function in one chain. */
  longestChain = 0;
  readonly #edge: Edge;
  readonly #folder: string;

  private constructor(edge: Edge, folder: string) {
    this.#edge = edge;
    this.#folder = folder;
    this.deployed = synthesize(folder, edge.urlOfQueue);
    this.queues = new Queues(this.deployed.queues, () => this.now());
  }

  static async open(): Promise<Rehearsal> {
    const rehearsal: { current?: Rehearsal } = {};
    const edge = await startEdge(() => (rehearsal.current as Rehearsal).queues);
    rehearsal.current = new Rehearsal(edge, mkdtempSync(join(tmpdir(), "rehearsal-")));
    return rehearsal.current;
  }

  async close(): Promise<void> {
    await this.#edge.close();
    rmSync(this.#folder, { recursive: true });
  }

  now(): number {
    return Date.now() + this.clockOffsetMs;
  }

  function(name: string): DeployedFunction {
    const found = this.deployed.functions.find((each) => each.name === name);
    if (!found) throw new Error(`The stack has no function ${name}.`);
    return found;
  }

  /** Starts a function, by default with its own role. */
  async start(name: string, role: readonly Statement[] = this.function(name).role): Promise<Started> {
    const deployed = this.function(name);
    const session = newSession(name, role);
    // Lambda writes the logs with the function's role.
    const stream = { resource: arnOf.logs(deployed.logGroup).replace(/\*$/, `log-stream:${logStream}`) };
    const logging = ["logs:CreateLogStream", "logs:PutLogEvents"].map((action) => ({ action, ...stream }));
    firstDenied(session, logging);
    const process = await startFunction(deployed, { ...own, ...this.#edge.access(session) });
    const invoke = (event: unknown, trace = traceOfInvocation(name, "").trace) =>
      process.invoke(event, { trace, clockOffsetMs: this.clockOffsetMs });
    return { process, session, invoke };
  }

  /** Sends a request through API Gateway. */
  call(endpoint: Endpoint, { invoke, session }: Started, sent: Sent): Promise<Run> {
    const need = { action: "lambda:InvokeFunction", resource: this.function(endpoint.name).arn };
    if (!isAllowed(this.deployed.gateway, need)) session.denials.add(need.action);
    return invoke(eventOf(endpoint, sent));
  }

  /** Runs the workspace's jobs until no message is left. `started` has the workers by job kind, and gets more. */
  async runJobs(workspace: string, started: Map<string, Started>): Promise<Map<string, Run[]>> {
    const runs = new Map<string, Run[]>();
    for (let count = 0; count < runsMax; count++) {
      const next = this.queues.next(workspace);
      if (!next) return runs;
      this.clockOffsetMs += Math.max(0, next.visibleAt - this.now());
      const worker = started.get(next.kind) ?? (await this.start(this.#workerOf(next.kind).name));
      started.set(next.kind, worker);
      const run = await this.#deliver(next.kind, workspace, worker);
      if (run) runs.set(next.kind, [...(runs.get(next.kind) ?? []), run]);
    }
    throw new Error("The jobs of the workspace do not end.");
  }

  #workerOf(kind: string): QueueWorker {
    const isWorker = (each: DeployedFunction["declared"]): each is QueueWorker => each.kind === "queue";
    const found = this.deployed.functions.map(({ declared }) => declared).filter(isWorker);
    return found.find(({ jobs }) => jobs === kind) as QueueWorker;
  }

  /** As an event source mapping, with the role of the function: receives a batch and deletes what did not fail. */
  async #deliver(kind: string, workspace: string, { invoke, session }: Started): Promise<Run | undefined> {
    const { name, batchSize } = this.#workerOf(kind);
    const arn = this.function(name).arn.replace(/lambda:(.*):function:.*/, `sqs:$1:${kind}`);
    const actions = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
    firstDenied(
      session,
      actions.map((action) => ({ action, resource: arn })),
    );
    const received = this.queues.receive(kind, workspace, batchSize);
    const chains = received.map((message) => ({ message, ...traceOfInvocation(name, message.trace) }));
    this.longestChain = Math.max(this.longestChain, ...chains.map(({ loops }) => loops));
    const isStopped = ({ loops }: { loops: number }) => loops > loopsMax && !this.function(name).allowsRecursion;
    for (const { message } of chains.filter(isStopped)) {
      this.stopped.push(name);
      this.queues.bury(message);
    }
    const batch = chains.filter((each) => !isStopped(each));
    const longest = batch.toSorted((one, other) => other.loops - one.loops)[0];
    if (!longest) return undefined;
    const run = await invoke({ Records: batch.map(({ message }) => recordOf(message, arn)) }, longest.trace);
    const reply = run.result as { batchItemFailures?: { itemIdentifier: string }[] } | undefined;
    const failed = new Set(reply?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
    for (const { message } of batch) if (!run.error && !failed.has(message.id)) this.queues.remove(message);
    return run;
  }
}
