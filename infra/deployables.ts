// The list of functions, with what the build, the stack and the local server derive from each declaration.
import * as functions from "../functions/index.ts";
import type { Endpoint } from "../lib/http/endpoint.ts";
import type { Worker } from "../lib/jobs/worker.ts";

export type Deployable = Endpoint | Worker;

export const deployables = Object.values(functions) as unknown as Deployable[];

export const endpoints = deployables.filter((each): each is Endpoint => each.kind === "endpoint");

export const workers = deployables.filter((each): each is Worker => each.kind !== "endpoint");

/** The source file of a function, relative to the project's root. */
export function sourceOf(each: Deployable): string {
  return `functions/${each.kind === "endpoint" ? each.group : "workers"}/${each.name}.ts`;
}

/** The environment variable that holds the queue's address of a job kind. */
export function queueVariable(kind: string): string {
  return `QUEUE_URL_${kind.toUpperCase()}`;
}
