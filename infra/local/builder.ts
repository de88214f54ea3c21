// Bundles functions in a process of its own, while the server starts and serves calls. A call waits only for its own
// function.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Asked, Told } from "./build-process.ts";
import { StartError } from "./start-error.ts";

export interface Builder {
  /** Resolves when the function is bundled. Until then, it is the next to build. */
  whenBuilt(name: string): Promise<void>;
  /** Resolves when all functions are bundled, and rejects with StartError when one cannot be. */
  done: Promise<void>;
  close(): void;
}

const program = fileURLToPath(new URL("build-process.ts", import.meta.url));

/** Bundles the named functions. Without a name, no process starts. */
export function startBuilder(names: readonly string[], outDir: string): Builder {
  const done = Promise.withResolvers<void>();
  done.promise.catch(() => {}); // Whoever waits gets the failure. It must not end the process before.
  if (names.length === 0) {
    done.resolve();
    return { whenBuilt: () => done.promise, done: done.promise, close: () => {} };
  }
  const waiting = new Map(names.map((name) => [name, Promise.withResolvers<void>()]));
  // Standard output would mix with the server's.
  const child = fork(program, { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const ask = (asked: Asked) => void (child.connected && child.send(asked));
  child.on("message", (told: Told) => {
    if ("failed" in told) return done.reject(new StartError(`The functions could not be built: ${told.failed}`));
    for (const name of told.built) {
      waiting.get(name)?.resolve();
      waiting.delete(name);
    }
    if (waiting.size === 0) done.resolve();
  });
  child.once("error", done.reject);
  child.once("exit", (code, signal) => done.reject(new StartError(`The build ended early (${signal ?? code}).`)));
  ask({ build: [...names], outDir });
  return {
    async whenBuilt(name) {
      const own = waiting.get(name);
      if (!own) return;
      ask({ wanted: name });
      await Promise.race([own.promise, done.promise]);
    },
    done: done.promise,
    close: () => void child.kill(),
  };
}
