// The entry point of `npm run console`.
import { consoleProgram } from "./console/program.ts";

// Standard output carries only the address and new credentials, so log lines go to standard error.
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

const stopped = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve());
});

process.exitCode = await consoleProgram(
  process.argv.slice(2),
  {
    stdin: process.stdin,
    print: (text) => void print(text),
    printError: (text) => void process.stderr.write(text),
  },
  stopped,
);
