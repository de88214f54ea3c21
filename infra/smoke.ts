// The entry point of `npm run smoke`.
import { standardStreams } from "./cli/standard-streams.ts";
import { smoke } from "./smoke/program.ts";

process.exitCode = await smoke(process.argv.slice(2), standardStreams());
