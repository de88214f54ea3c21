// One DynamoDB engine a data folder, shared by every process that works on it. `engine.json` says which it is and who
// uses it; whoever leaves last ends it. A user that was killed is struck off by the next one, and so a left-over engine
// is taken over rather than joined by a second.
import { rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type Engine, startEngine } from "./dynoxide.ts";
import { readJson, replace } from "./files.ts";
import { withLock } from "./lock.ts";
import { commandLine, end, isRunning, type ProcessId, self } from "./processes.ts";

interface Shared extends Engine {
  /** Redundant with `process`, for people who look. */
  pid: number;
  startedAt: string;
  users: ProcessId[];
}

export interface OpenEngine {
  endpoint: string;
  close(): Promise<void>;
}

/** The engine of an existing data folder: the one that runs, or a new one. */
export async function openEngine(dir: string): Promise<OpenEngine> {
  const elsewhere = process.env.DYNAMODB_ENDPOINT;
  if (elsewhere) return { endpoint: elsewhere, close: async () => {} };
  const { port } = await withLock(lockOf(dir), () => enter(dir));
  return { endpoint: `http://127.0.0.1:${port}`, close: () => withLock(lockOf(dir), () => leave(dir)) };
}

async function enter(dir: string): Promise<Shared> {
  const found = await runningEngine(dir);
  if (found) return remember(dir, { ...found, users: [...found.users.filter(isRunning), self()] });
  const files = { database: databaseOf(dir), logFile: join(dir, "engine.log") };
  const startedAt = new Date().toISOString();
  const shared = (engine: Engine): Shared => ({ ...engine, pid: engine.process.pid, startedAt, users: [self()] });
  return shared(await startEngine(files, (engine) => remember(dir, shared(engine))));
}

async function leave(dir: string): Promise<void> {
  const shared = readJson<Shared>(stateOf(dir));
  if (!shared) return;
  const own = shared.users.findIndex(({ pid, started }) => pid === self().pid && started === self().started);
  const users = shared.users.filter((user, index) => index !== own && isRunning(user));
  if (users.length > 0) {
    remember(dir, { ...shared, users });
    return;
  }
  if (isOurs(shared, dir)) await end(shared.process);
  rmSync(stateOf(dir), { force: true });
}

/** The engine that `engine.json` names, if it is one, of this folder, and answers. One that does not answer is ended. */
async function runningEngine(dir: string): Promise<Shared | undefined> {
  const shared = readJson<Shared>(stateOf(dir));
  if (!shared || !isOurs(shared, dir)) return undefined;
  if (await accepts(shared.port)) return shared;
  await end(shared.process);
  return undefined;
}

/** Never attach to, or end, a process that has merely inherited the pid. */
function isOurs({ process }: Shared, dir: string): boolean {
  if (!isRunning(process)) return false;
  const words = commandLine(process.pid);
  return /dynoxide(\.exe)?$/.test(words[0] ?? "") && words.includes(databaseOf(dir));
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: 5_000 });
    const answer = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", answer(true)).once("error", answer(false)).once("timeout", answer(false));
  });
}

function remember(dir: string, shared: Shared): Shared {
  replace(stateOf(dir), `${JSON.stringify(shared, null, 2)}\n`);
  return shared;
}

const databaseOf = (dir: string) => join(dir, "dynamodb.db");
const stateOf = (dir: string) => join(dir, "engine.json");
const lockOf = (dir: string) => join(dir, "engine.lock");
