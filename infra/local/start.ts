// The entry point of `npm start`: runs the service, and runs it again when a source file changes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { fileURLToPath } from "node:url";
import { whenToStop } from "./stop.ts";

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
/** An editor, or git, writes several files. The service starts again after the last one. */
const quietMs = 50;

let changed = Promise.withResolvers<"changed">();
let timer: NodeJS.Timeout | undefined;
for (const folder of ["functions", "lib", "infra"]) {
  const watcher = watch(pathOf(`../../${folder}`), { recursive: true }, (_, name) => {
    if (!/\.tsx?$/.test(name ?? "")) return;
    clearTimeout(timer);
    timer = setTimeout(() => changed.resolve("changed"), quietMs);
  });
  watcher.on("error", ({ message }) => process.stderr.write(`Changes in ${folder} are not seen: ${message}\n`));
}

const stopped = whenToStop(process.env).then(() => "stopped" as const);
const env = {
  ...process.env,
  // The service stops when this process has ended.
  NPM_PID: String(process.pid),
  // Most of a start is the compilation of the sources.
  NODE_COMPILE_CACHE: pathOf("../../node_modules/.cache/node"),
};
for (let runs = 1; ; runs++) {
  const service = spawn(process.execPath, [pathOf("main.ts"), ...process.argv.slice(2)], { env, stdio: "inherit" });
  const exit = once(service, "exit").then(([code]) => Number(code ?? 1));
  const asked = Promise.race([stopped, changed.promise]);
  const ended = await Promise.race([exit, asked]);
  // A service that fails after a change waits for the next change, which may mend it.
  if (ended === 0 || (typeof ended === "number" && runs === 1)) process.exit(ended);
  const reason = await asked;
  changed = Promise.withResolvers();
  service.kill();
  const code = await exit;
  if (reason === "stopped") process.exit(code);
}
