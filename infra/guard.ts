// The entry point of `npm run guard`.
import { guard } from "./guard/program.ts";

process.exitCode = await guard(process.argv.slice(2), {
  print: (text) => void process.stdout.write(text),
  printError: (text) => void process.stderr.write(text),
});
