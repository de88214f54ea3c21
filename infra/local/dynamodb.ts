// Each data folder has one DynamoDB engine, which all processes share. `engine.json` names the engine and the processes
// that use it. The last one stops the engine. A killed process stays in the list, so the next process removes it from
// the list and reuses the engine.
import { existsSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import * as z from "zod/mini";
import { type Engine, startEngine } from "./dynoxide.ts";
import { databasePath, readJson, replace } from "./files.ts";
import { processId, withLock } from "./lock.ts";
import { commandLine, end, isRunning, self } from "./processes.ts";

const engineState = z.object({
  process: processId,
  port: z.int().check(z.minimum(1), z.maximum(65_535)),
  /** For a person who reads the file. `pid` is that of `process`. */
  pid: z.optional(z.int()),
  startedAt: z.optional(z.string()),
  users: z.array(processId),
});

type EngineState = z.output<typeof engineState>;

export interface OpenEngine {
  endpoint: string;
  close(): Promise<void>;
}

/**
 * Uses the engine at DYNAMODB_ENDPOINT if it is set. Otherwise connects to the running engine of an existing data
 * folder, or starts one.
 */
export async function openEngine(dir: string): Promise<OpenEngine> {
  const external = process.env.DYNAMODB_ENDPOINT;
  if (external) return { endpoint: external, close: async () => {} };
  const state = await withLock(lockPath(dir), () => acquire(dir));
  const close = async () => {
    if (existsSync(dir)) await withLock(lockPath(dir), () => release(dir));
    // The folder can have been deleted meanwhile, or its files: then nobody else can find the engine.
    if (savedState(dir)?.process.pid !== state.process.pid && isEngineOf(state, dir)) await end(state.process);
  };
  return { endpoint: `http://127.0.0.1:${state.port}`, close };
}

async function acquire(dir: string): Promise<EngineState> {
  const running = await runningEngine(dir);
  if (running) return saveState(dir, { ...running, users: [...running.users.filter(isRunning), self()] });
  const files = { database: databasePath(dir), logFile: join(dir, "engine.log") };
  const startedAt = new Date().toISOString();
  const stateOf = (engine: Engine): EngineState => ({ ...engine, pid: engine.process.pid, startedAt, users: [self()] });
  try {
    return stateOf(await startEngine(files, (engine) => saveState(dir, stateOf(engine))));
  } catch (thrown) {
    rmSync(statePath(dir), { force: true });
    throw thrown;
  }
}

async function release(dir: string): Promise<void> {
  const state = savedState(dir);
  if (!state) return;
  const own = state.users.findIndex(({ pid, started }) => pid === self().pid && started === self().started);
  const users = state.users.filter((user, index) => index !== own && isRunning(user));
  if (users.length > 0) {
    saveState(dir, { ...state, users });
    return;
  }
  if (isEngineOf(state, dir)) await end(state.process);
  rmSync(statePath(dir), { force: true });
}

/** Returns the engine that `engine.json` names if it accepts connections. Stops it if it runs but accepts none. */
async function runningEngine(dir: string): Promise<EngineState | undefined> {
  const state = savedState(dir);
  if (!state || !isEngineOf(state, dir)) return undefined;
  if (await acceptsConnections(state.port)) return state;
  await end(state.process);
  return undefined;
}

/** A file of another form names no engine: it is replaced. */
const savedState = (dir: string) => engineState.safeParse(readJson(statePath(dir))).data;

/** Protects an unrelated process that has the same pid: it must be neither used nor stopped. */
function isEngineOf({ process }: EngineState, dir: string): boolean {
  if (!isRunning(process)) return false;
  const words = commandLine(process.pid);
  return /dynoxide(\.exe)?$/.test(words[0] ?? "") && words.includes(databasePath(dir));
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: 5_000 });
    const finish = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", finish(true)).once("error", finish(false)).once("timeout", finish(false));
  });
}

function saveState(dir: string, state: EngineState): EngineState {
  replace(statePath(dir), `${JSON.stringify(state, null, 2)}\n`);
  return state;
}

const statePath = (dir: string) => join(dir, "engine.json");
const lockPath = (dir: string) => join(dir, "engine.lock");
