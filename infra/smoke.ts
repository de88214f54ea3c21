// The entry point of `npm run smoke`.
import { smoke } from "./smoke/program.ts";
import { standardStreams } from "./standard-streams.ts";

process.exitCode = await smoke(process.argv.slice(2), standardStreams());
