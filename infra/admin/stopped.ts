// Checks from outside whether calls and jobs of a stack are stopped: its address refuses each call, and its functions
// have logged nothing. Lambda itself logs each run, and the sweeper runs every minute.
import { CloudWatchLogsClient, paginateFilterLogEvents } from "@aws-sdk/client-cloudwatch-logs";
import { UserError } from "./command.ts";
import { optionalOutputsOf } from "./target.ts";

/** Time for a run of the sweeper, or for the longest call or job, and until its log lines can be read. */
const quietSeconds = 120;
const timeoutMs = 35_000;
const how = "Stop calls and jobs, and wait two minutes: infra/RESTORE.md#stop-calls-and-jobs.";

/** Throws UserError when a function of the stack runs, or can be called. */
export async function requireStopped(stack: string): Promise<void> {
  const output = await optionalOutputsOf(stack);
  const url = output("ApiUrl");
  if (url !== undefined) await requireRefusal(url);
  const client = new CloudWatchLogsClient({});
  try {
    for (const name of ["EndpointLogs", "WorkerLogs"]) {
      const group = output(name);
      if (group !== undefined) await requireQuiet(client, group);
    }
  } finally {
    client.destroy();
  }
}

/** A stage whose limit is 0 answers 429 to a call, before any function sees it. */
async function requireRefusal(url: string): Promise<void> {
  const address = `${url.replace(/\/$/, "")}/v2/no-such-path`;
  const sent = { method: "POST", redirect: "manual", signal: AbortSignal.timeout(timeoutMs) } as const;
  const { status } = await fetch(address, sent).catch((cause: Error) => {
    throw new UserError(`It is unknown whether calls are stopped: ${url} does not answer (${cause.message}).`, {
      cause,
    });
  });
  if (status !== 429) throw new UserError(`Calls are not stopped: ${url} answers HTTP ${status}, not 429. ${how}`);
}

async function requireQuiet(client: CloudWatchLogsClient, logGroupName: string): Promise<void> {
  const startTime = Date.now() - quietSeconds * 1_000;
  for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName, startTime })) {
    if (events.length === 0) continue;
    throw new UserError(`Functions have run in the last ${quietSeconds} seconds, as ${logGroupName} shows. ${how}`);
  }
}
