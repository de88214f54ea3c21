// Runs once before the tests of the engines: builds the bundles, and starts the local engines on a temporary folder.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../infra/build/bundle.ts";
import { queueVariable, workers } from "../../infra/deployables.ts";
import { openEngines } from "../../infra/local/engines.ts";
import { startSqs } from "../../infra/local/sqs.ts";
import { outDir } from "./bundles.ts";

export default async function setup(): Promise<() => Promise<void>> {
  await bundle({ outDir });
  const folder = await mkdtemp(join(tmpdir(), "collaboration-test-"));
  process.env.TEST_FOLDER = folder;
  const kinds = workers.flatMap((each) => (each.kind === "queue" ? [each.jobs] : []));
  const sqs = await startSqs(kinds);
  const engines = await openEngines(folder, { sqs });
  process.env.PLAIN_DYNAMODB_ENDPOINT = engines.dynamodb;
  for (const kind of kinds) process.env[queueVariable(kind)] = sqs.urlOf(kind);
  // Tests make more calls of a workspace in a second than a client would.
  process.env.WORKSPACE_CALLS_PER_SECOND = "1000000";
  process.env.EGRESS_ALLOW_CIDRS = "127.0.0.0/8";
  return async () => {
    await engines.close();
    await sqs.close();
    await rm(folder, { recursive: true, force: true });
  };
}
