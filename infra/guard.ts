// The entry point of `npm run guard`.
import { standardStreams } from "./cli/standard-streams.ts";
import { guard } from "./guard/program.ts";

process.exitCode = await guard(process.argv.slice(2), standardStreams());
