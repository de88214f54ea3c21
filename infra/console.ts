// The entry point of `npm run console`.
import { standardStreams } from "./cli/standard-streams.ts";
import { consoleProgram } from "./console/program.ts";

const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop());

// The console prints new credentials. It stops when nobody can read them.
process.exitCode = await consoleProgram(process.argv.slice(2), standardStreams(stop), stopped);
