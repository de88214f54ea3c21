// Measures what work in this process uses: the costs that the log lines have, and the requests to S3 and SQS.
import { atAwsEdge } from "../aws/edge.ts";
import { capturedLines } from "../log-lines.ts";
import type { Usage } from "./usage.ts";

const counted: Record<string, "fileReads" | "fileWrites" | "queueSends"> = {
  GetObjectCommand: "fileReads",
  PutObjectCommand: "fileWrites",
  ListObjectsV2Command: "fileWrites",
  SendMessageBatchCommand: "queueSends",
};

interface Line {
  _aws?: { CloudWatchMetrics: { Metrics: { Name: string }[] }[] };
  roundTrips?: number;
  readUnits?: number;
  writeUnits?: number;
  kmsCalls?: number;
}

const sent = new Set<string>();
let requests = { fileReads: 0, fileWrites: 0, queueSends: 0 };

/** Counts requests until `vi.restoreAllMocks`. */
export function startMeter(): void {
  atAwsEdge((command, call) => {
    const kind = counted[command.constructor.name];
    const input = JSON.stringify(command.input);
    // A request that is slow on a busy machine is made again.
    if (kind && !(kind === "queueSends" && sent.has(input))) requests[kind] += 1;
    sent.add(input);
    return call();
  });
}

/** What the work uses, and how many metrics its log lines have. The workers' messages are not part of it. */
export async function metered(
  { name, memoryMb }: { name: string; memoryMb: number },
  work: () => Promise<unknown>,
): Promise<Usage & { runs: number; metrics: number }> {
  requests = { fileReads: 0, fileWrites: 0, queueSends: 0 };
  sent.clear();
  const before = capturedLines().length;
  await work();
  const lines = capturedLines()
    .slice(before)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ readUnits, kmsCalls }) => readUnits !== undefined || kmsCalls !== undefined);
  const names = lines.flatMap(({ _aws }) => _aws?.CloudWatchMetrics.flatMap(({ Metrics }) => Metrics) ?? []);
  const sum = (of: Exclude<keyof Line, "_aws">) => lines.reduce((total, line) => total + (line[of] ?? 0), 0);
  return {
    ...{ name, memoryMb, runs: lines.length, ...requests },
    metrics: new Set(names.map(({ Name }) => Name)).size,
    ...{ trips: sum("roundTrips"), readUnits: sum("readUnits") },
    ...{ writeUnits: sum("writeUnits"), kmsCalls: sum("kmsCalls") },
  };
}
