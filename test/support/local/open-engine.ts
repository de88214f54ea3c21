// A process that opens the engine of the given folder, prints its URL, and runs until it is killed.
import { openEngine } from "../../../infra/local/dynamodb.ts";

const engine = await openEngine(process.argv[2] ?? "");
process.on("SIGTERM", () => engine.close().then(() => process.exit(0)));
process.stdout.write(`${engine.endpoint}\n`);
setInterval(() => {}, 60_000);
