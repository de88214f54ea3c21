// `npm run admin`
import { admin } from "./admin/program.ts";

// What the store might log goes to standard error: standard output is for answers alone.
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

process.exitCode = await admin(process.argv.slice(2), {
  stdin: process.stdin,
  print: (text) => void print(text),
  complain: (text) => void process.stderr.write(text),
});
