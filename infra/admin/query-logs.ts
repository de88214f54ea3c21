// Reads log lines of a stack with CloudWatch Logs Insights, which searches several log groups at once.
import { CloudWatchLogsClient, GetQueryResultsCommand, StartQueryCommand } from "@aws-sdk/client-cloudwatch-logs";
import { jsonIn } from "../../lib/json.ts";
import { UserError } from "./command.ts";
import type { Line } from "./trace-steps.ts";

/** The most that a query returns. */
const linesMax = 10_000;
const pollMs = 500;

/** The lines of the last hours that the filter selects, the earliest first. */
export async function queryLogs(logGroupNames: string[], filter: string, hours: number): Promise<Line[]> {
  const client = new CloudWatchLogsClient({});
  try {
    const now = Math.ceil(Date.now() / 1_000);
    const queryString = `fields @timestamp, @message | ${filter} | sort @timestamp asc | limit ${linesMax}`;
    const query = { logGroupNames, queryString, startTime: now - 3_600 * hours, endTime: now };
    const { queryId } = await client.send(new StartQueryCommand(query));
    for (;;) {
      const { status, results = [] } = await client.send(new GetQueryResultsCommand({ queryId }));
      if (status === "Complete") return results.flatMap(lineOf);
      if (status !== "Scheduled" && status !== "Running")
        throw new UserError(`The query of the logs ended as ${status}.`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  } finally {
    client.destroy();
  }
}

/** Returns no line for text that is not JSON: an outage can cut a line off. */
function lineOf(fields: readonly { field?: string | undefined; value?: string | undefined }[]): Line[] {
  const line = jsonIn(fields.find(({ field }) => field === "@message")?.value ?? "");
  return line === undefined ? [] : [line as Line];
}
