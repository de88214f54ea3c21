// What ends `npm start`.

const parentCheckMs = 500;

/**
 * Resolves at a signal, when an output can no longer be written to, or when the shell of npm has ended. Call it before
 * the first output.
 */
export function whenToStop(env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve());
    // Without a listener, the error of a closed output would end the process, and leave the engine's process.
    for (const output of [process.stdout, process.stderr]) output.on("error", () => resolve());
    // npm passes a signal only to its shell, which ends without this process.
    if (env.npm_lifecycle_event !== "start") return;
    const { ppid } = process;
    const check = setInterval(() => {
      if (process.ppid === ppid) return;
      clearInterval(check);
      resolve();
    }, parentCheckMs);
    check.unref();
  });
}
