// Runs the webhook workers and a receiver. As in `npm start`, the workers are bundles that get their jobs from local
// queues.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { workers } from "../../../infra/deployables.ts";
import { loadSource } from "../../../infra/local/load-source.ts";
import type { LocalSqs } from "../../../infra/local/sqs.ts";
import { runWorkers } from "../../../infra/local/workers.ts";
import * as AuthToken from "../../../lib/store/access/auth-token.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { callAs } from "../calls.ts";
import type { Credentials } from "../event.ts";

export interface Arrival {
  /** ms since the epoch. */
  at: number;
  /** The event's document. */
  id: string;
  webhookId: string;
  path: string;
}

export interface Receiver {
  url: string;
  arrivals: Arrival[];
  /** Resolves when `arrivals` has `count` entries. */
  arrived(count: number): Promise<void>;
  stop(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const child: ChildProcess = fork(fileURLToPath(new URL("receiver.ts", import.meta.url)));
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const arrivals: Arrival[] = [];
  let waiting: { count: number; resolve: () => void } | undefined;
  child.on("message", (arrival: Arrival) => {
    arrivals.push(arrival);
    if (waiting && arrivals.length >= waiting.count) waiting.resolve();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    arrived: (count) =>
      new Promise((resolve) => {
        waiting = { count, resolve };
        if (arrivals.length >= count) resolve();
      }),
    stop: () => void child.kill(),
  };
}

export function startWorkers(sqs: LocalSqs): { stop(): void } {
  const fed = workers.filter(({ name }) => name === "fanout" || name === "drain");
  return runWorkers({ workers: fed, load: loadSource, sqs, onError: (thrown) => console.error(thrown) });
}

export async function must(as: Credentials, name: string, data: object) {
  const { statusCode, body } = await callAs(as, name, data);
  if (statusCode !== 200) throw new Error(`${name} returned ${statusCode}: ${body}`);
  return JSON.parse(body).result?.data;
}

/** Creates a workspace with an organization and webhooks enabled. */
export async function hooked(organizationId: string): Promise<Credentials> {
  const { apiKey } = await Workspace.create({ name: "webhooks" });
  const as = { apiKey, ...(await AuthToken.create({ workspace: apiKey })) };
  await must(as, "organizations-add", { organizations: [{ organizationId }] });
  await must(as, "advancedwebhookconfig-update", { isEnabled: true });
  return as;
}
