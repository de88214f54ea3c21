// Runs deployed functions: each process has its own role, and its jobs go through the queues of the template.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endpoints } from "../../infra/deployables.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { traceOfInvocation } from "./aws/chain.ts";
import { type Edge, startEdge } from "./aws/edge.ts";
import { deliver } from "./aws/event-source.ts";
import { arnOf } from "./aws/needs.ts";
import { isAllowed, type Need, type Statement } from "./aws/policy.ts";
import { Queues } from "./aws/queues.ts";
import { firstDenied, newSession, type Session } from "./aws/session.ts";
import { type Deployed, type DeployedFunction, type Mapping, synthesize } from "./aws/template.ts";
import { eventOf, type Sent, timerEvent } from "./events.ts";
import { logStream } from "./runtime/environment.ts";
import { type LambdaProcess, type Run, startFunction } from "./runtime/process.ts";

/** All but those of live messages, whose engine the stack of this rehearsal does not have. `npm run smoke` calls these. */
export const rehearsed = endpoints.filter(({ needs }) => !needs.includes("live"));

export interface Started {
  process: LambdaProcess;
  session: Session;
  invoke(event: unknown, options?: { trace?: string; laterMs?: number }): Promise<Run>;
}

/** How often a client makes a call that returns UNAVAILABLE: the engine throttles, and a busy machine is slow. */
const attemptsMax = 3;

/** How often the jobs of one workspace may run. */
const runsMax = 400;

/** Loopback addresses are not public, and the receivers and models of the rehearsal listen there. */
const own = { EGRESS_ALLOW_CIDRS: "127.0.0.0/8" };

export class Rehearsal {
  readonly deployed: Deployed;
  readonly queues: Queues;
  /** Advances to the time of the next message, so that nothing waits. */
  clockOffsetMs = 0;
  /** Functions whose chain of messages Lambda would have ended. */
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

  /** Starts a function, by default with its own role. `taken`: permissions that it gets back when it was denied them. */
  async start(
    name: string,
    role: readonly Statement[] = this.function(name).role,
    taken: readonly string[] = [],
  ): Promise<Started> {
    const deployed = this.function(name);
    const session = newSession(name, role, taken);
    firstDenied(session, this.needsOfLambda(name));
    const process = await startFunction(deployed, { ...own, ...this.#edge.access(session) });
    return {
      process,
      session,
      invoke: (event, { trace = traceOfInvocation(deployed.arn, "").trace, laterMs = 0 } = {}) =>
        process.invoke(event, { trace, clockOffsetMs: this.clockOffsetMs + laterMs }),
    };
  }

  /** What Lambda itself does with the function's role: it writes the logs, and receives the messages of its queue. */
  needsOfLambda(name: string): Need[] {
    const { arn, logGroup } = this.function(name);
    const stream = arnOf.logs(logGroup).replace(/\*$/, `log-stream:${logStream}`);
    const logging = ["CreateLogStream", "PutLogEvents"].map((verb) => ({ action: `logs:${verb}`, resource: stream }));
    const receiving = this.deployed.mappings.flatMap(({ functionArn, queueArn }) =>
      functionArn === arn
        ? ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"].map((verb) => `sqs:${verb}`).map(of(queueArn))
        : [],
    );
    return [...logging, ...receiving];
  }

  /** Sends a request through API Gateway, as a client that repeats what it may. `laterMs`: how much later than now. */
  async call(endpoint: Endpoint, started: Started, sent: Sent, laterMs = 0): Promise<Run> {
    for (let attempt = 1; ; attempt++) {
      const run = await this.#callOnce(endpoint, started, sent, laterMs);
      const isUnavailable = (run.result as { statusCode?: number } | undefined)?.statusCode === 503;
      if (!isUnavailable || attempt === attemptsMax) return run;
    }
  }

  async #callOnce(endpoint: Endpoint, { invoke, session }: Started, sent: Sent, laterMs: number): Promise<Run> {
    const { route, event } = eventOf(this.deployed.routes, endpoint, sent);
    const { arn } = this.function(endpoint.name);
    if (route.functionArn !== arn) throw new Error(`API Gateway calls ${route.functionArn} for ${endpoint.name}.`);
    const need = { action: "lambda:InvokeFunction", resource: arn };
    if (!isAllowed(route.role, need)) session.denials.add(need.action);
    const run = await invoke(event, { laterMs });
    if (run.ms <= route.timeoutMs) return run;
    return { ...run, error: { type: "Gateway", message: `API Gateway does not wait for ${Math.round(run.ms)} ms.` } };
  }

  /** Invokes the function as its schedule does. */
  async tick(name: string, { invoke, session }: Started): Promise<Run> {
    const timer = this.deployed.timers.find(({ functionArn }) => functionArn === this.function(name).arn);
    if (!timer) throw new Error(`No schedule invokes ${name}.`);
    if (!timer.isAllowed) session.denials.add("lambda:InvokeFunction");
    return invoke(timerEvent(timer.ruleArn, new Date(this.now())));
  }

  /**
   * Runs the workspace's jobs until no message is left. `workers`: the started ones, by job kind. Returns what ran, by
   * job kind.
   */
  async runJobs(workspace: string, workers: ReadonlyMap<string, Started>): Promise<[kind: string, run: Run][]> {
    const runs: [string, Run][] = [];
    for (let count = 0; count < runsMax; count++) {
      if (!this.queues.next(workspace)) return runs;
      runs.push(...(await this.runNext(workspace, workers)));
    }
    throw new Error(`The jobs of the workspace do not end: ${runsMax} batches were delivered.`);
  }

  /** Delivers the next message of the workspace, at its time. An outage of the worker's table ends with its run. */
  async runNext(workspace: string, workers: ReadonlyMap<string, Started>): Promise<[kind: string, run: Run][]> {
    const next = this.queues.next(workspace);
    if (!next) return [];
    this.clockOffsetMs += Math.max(0, next.visibleAt - this.now());
    const worker = workers.get(next.kind);
    if (!worker) throw new Error(`No worker for ${next.kind} was started.`);
    const run = await this.#deliver(this.#mappingOf(next.kind), workspace, worker);
    return run ? [[next.kind, run]] : [];
  }

  #mappingOf(kind: string): Mapping {
    const found = this.deployed.mappings.find((each) => each.kind === kind);
    if (!found) throw new Error(`Nothing receives the messages of the queue ${kind}.`);
    return found;
  }

  async #deliver(mapping: Mapping, group: string, { invoke, session }: Started): Promise<Run | undefined> {
    const { arn, name, allowsRecursion } = this.function(session.name);
    if (mapping.functionArn !== arn) throw new Error(`The queue ${mapping.kind} does not invoke ${name}.`);
    const { run, loops, stopped } = await deliver(this.queues, mapping, {
      group,
      allowsRecursion,
      invoke: (event, trace) => invoke(event, { trace }),
    });
    session.isTableDown = false;
    this.longestChain = Math.max(this.longestChain, loops);
    this.stopped.push(...stopped.map(() => name));
    return run;
  }
}

const of = (resource: string) => (action: string) => ({ action, resource });
