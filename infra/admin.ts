// The entry point of `npm run admin`.
import { admin } from "./admin/program.ts";

// Standard output carries only the command's result, so log lines go to standard error.
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

process.exitCode = await admin(process.argv.slice(2), {
  stdin: process.stdin,
  print: (text) => void print(text),
  printError: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
});
