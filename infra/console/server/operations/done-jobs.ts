// The jobs that were done last. They come from the log, because the index of jobs has only those that are not done.
import * as z from "zod/mini";
import type { ShownJob } from "../operations.ts";

/** Of one workspace, so that another one with many jobs crowds out none of them. */
const jobsMax = 200;

const Run = z.object({
  message: z.literal("job"),
  outcome: z.literal("done"),
  time: z.string(),
  worker: z.string(),
  job: z.string(),
  workspace: z.string(),
  attempt: z.number(),
  durationMs: z.number(),
  correlation_id: z.optional(z.string()),
});

export interface DoneJobs {
  /** Adds a log line of the service. */
  add(line: Record<string, unknown>): void;
  /** Those of the workspace, the latest first. */
  of(apiKey: string): ShownJob[];
}

export function doneJobs(): DoneJobs {
  const byWorkspace = new Map<string, Map<string, z.infer<typeof Run>>>();
  return {
    add(line) {
      if (line.message !== "job") return;
      const { data: run } = Run.safeParse(line);
      if (!run) return;
      const byId = byWorkspace.get(run.workspace) ?? new Map<string, z.infer<typeof Run>>();
      byWorkspace.set(run.workspace, byId);
      byId.delete(run.job);
      byId.set(run.job, run);
      const [oldest] = byId.keys();
      if (byId.size > jobsMax && oldest !== undefined) byId.delete(oldest);
    },
    of: (apiKey) => [...(byWorkspace.get(apiKey)?.values() ?? [])].map(shown).reverse(),
  };
}

const shown = ({
  job,
  worker,
  time,
  attempt,
  durationMs,
  correlation_id: causedBy,
}: z.infer<typeof Run>): ShownJob => ({
  id: job,
  kind: worker,
  state: "done",
  dueAt: time,
  attempts: attempt,
  durationMs,
  ...(causedBy && { causedBy }),
});
