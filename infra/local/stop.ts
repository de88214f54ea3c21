// What ends `npm start`.
import { identify, isRunning } from "./processes.ts";

const npmCheckMs = 500;

/**
 * Resolves at a signal, when an output can no longer be written to, or when npm has ended. Call it before the first
 * output.
 */
export function whenToStop(env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve());
    // Without a listener, the error of a closed output would end the process, and leave the engine's process.
    for (const output of [process.stdout, process.stderr]) output.on("error", () => resolve());
    // npm passes a signal only to its shell, and then both end without this process. A killed npm passes none.
    const pid = Number(env.NPM_PID);
    if (!pid) return;
    const npm = identify(pid);
    if (!npm) return resolve();
    const check = setInterval(() => {
      if (isRunning(npm)) return;
      clearInterval(check);
      resolve();
    }, npmCheckMs);
    check.unref();
  });
}
