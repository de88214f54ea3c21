// The entry point of `npm run admin`.
import { admin } from "./admin/program.ts";
import { standardStreams } from "./cli/standard-streams.ts";

process.exitCode = await admin(process.argv.slice(2), { ...standardStreams(), isTerminal: process.stderr.isTTY });
