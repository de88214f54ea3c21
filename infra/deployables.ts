// The list of functions, and what the build, the stack and the local server derive from a declaration.
import { globSync } from "node:fs";
import { dirname, parse } from "node:path";
import * as functions from "../functions/index.ts";
import type { Endpoint } from "../lib/http/endpoint.ts";
import { fieldNames } from "../lib/http/schema-fields.ts";
import type { Authorizer, EventWorker, QueueWorker, Worker } from "../lib/jobs/worker.ts";

export type Deployable = Endpoint | Worker | Authorizer;

export const deployables = Object.values(functions) as unknown as Deployable[];

export const endpoints = deployables.filter((each): each is Endpoint => each.kind === "endpoint");

/** The workers that messages of a queue invoke. */
export const consumersAmong = (deployables: readonly Deployable[]) =>
  deployables.filter((each): each is QueueWorker | EventWorker => each.kind === "queue" || each.kind === "events");

export const workers = deployables.filter(
  (each): each is Worker => each.kind !== "endpoint" && each.kind !== "authorizer",
);

/** API Gateway sends a request to the function of this path when no other route matches. */
export const catchAllPath: string = functions.notFound.path;

/** The endpoints that a client can name: all except the fallback. */
export const named: readonly Endpoint[] = endpoints.filter(({ path }) => path !== catchAllPath);

/** The paths of which the function of unknown paths suggests one. */
export const plainPaths = (): string[] => endpoints.map(({ path }) => path).filter((path) => !path.includes("{"));

/**
 * The path of an endpoint's route. One route serves both versions of a path. The function refuses any other value of
 * `{version}`.
 */
export function routePath(path: string): string {
  return path.replace(/^\/v[12]\//, "/{version}/");
}

/** Whether the `data` of an endpoint has the keys too (DECISIONS.md#repeated-credentials). */
export function takesKeysInData({ data }: Pick<Endpoint, "data">): boolean {
  const fields = fieldNames(data);
  return fields.includes("apiKey") && fields.includes("authToken");
}

const folders = new Map(
  globSync("*/*.ts", { cwd: new URL("../functions", import.meta.url) }).map((path) => [
    parse(path).name,
    dirname(path),
  ]),
);

/** The folder of `functions/` that has the function's file. For an endpoint, it is the group of the endpoint. */
export const folderOf = ({ name }: Pick<Deployable, "name">): string => folders.get(name) ?? "";

/** The path of a function's source file, relative to the project's root. */
export const sourceOf = (each: Deployable): string => `functions/${folderOf(each)}/${each.name}.ts`;

/** The name of the queue that invokes a worker; for a worker of jobs, it is their kind. */
export function sourceQueueOf(each: Deployable): string | undefined {
  if (each.kind === "events") return each.queue;
  return each.kind === "queue" ? each.jobs : undefined;
}

/** The name of the environment variable that holds the queue URL of a job kind. */
export function queueVariable(kind: string): string {
  return `QUEUE_URL_${kind.toUpperCase()}`;
}
