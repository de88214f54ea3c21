// The entry point of `npm run guard`.
import { guard } from "./guard/program.ts";
import { standardStreams } from "./standard-streams.ts";

process.exitCode = await guard(process.argv.slice(2), standardStreams());
