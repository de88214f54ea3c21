import { type Command, Option } from "commander";
import type { DueJob } from "../../lib/store/job.ts";
import { addAction, columns, type Io, type Output, type TargetOptions, UserError } from "./command.ts";
import { onTarget, withTarget } from "./target.ts";
import { existingJob, followed, untilEnded, type WaitOptions, waitOption } from "./wait.ts";

const states = ["waiting", "running", "failed"] as const;

interface ListOptions extends TargetOptions {
  workspace?: string;
  state?: (typeof states)[number];
}

interface RetryOptions extends WaitOptions {
  all?: true;
}

export function addJobs(program: Command, io: Io): void {
  const group = program.command("jobs").description("list, show, retry or await background jobs");
  const listCommand = group
    .command("list")
    .description("list the jobs that are waiting, running or failed")
    .option("--workspace <api-key>", "list only the jobs of this workspace")
    .addOption(new Option("--state <state>", "list only the jobs in this state").choices(states));
  onTarget(listCommand, io, list);
  const showCommand = group
    .command("show")
    .description("show a job and its payload, without secrets")
    .argument("<id>", "job id, as printed by jobs list");
  onTarget(showCommand, io, show);
  const retryCommand = group
    .command("retry")
    .description("retry one failed job, or all failed jobs with --all")
    .argument("[id]", "job id, as printed by jobs list")
    .option("--all", "retry all failed jobs")
    .addOption(waitOption().conflicts("all"));
  addAction(retryCommand, io, (options: RetryOptions, id?: string) => {
    if ((id === undefined) === (options.all === undefined)) throw new UserError("Give either a job id or --all.");
    return withTarget(options, async () => (id ? followed(io, options, id, await retry(id)) : retryAll()));
  });
  const waitCommand = group
    .command("wait")
    .description("wait until a job has ended, and show its progress; the exit status is 1 if it has failed")
    .argument("<id>", "job id, as printed by jobs list");
  onTarget(waitCommand, io, async (options, id: string) => {
    const { state, text, status } = await untilEnded(io, options, id);
    return { json: { id, state }, text, status };
  });
}

async function list({ workspace, state }: ListOptions): Promise<Output> {
  const jobs = await findJobs((job) => !state || job.state === state, workspace);
  const entries = jobs.map(({ id, kind, workspace, state, attempts, dueAt }) => {
    return { id, kind, workspace, state, attempts, dueAt: new Date(dueAt).toISOString() };
  });
  const rows = entries.map(({ id, kind, workspace, state, attempts, dueAt }) => {
    return [id, kind, workspace, state, String(attempts), dueAt];
  });
  return { json: entries, text: columns(["ID", "KIND", "WORKSPACE", "STATE", "ATTEMPTS", "DUE OR FAILED AT"], rows) };
}

/** Returns the longest overdue job first. */
export async function findJobs(isWanted: (job: DueJob) => boolean, workspace?: string): Promise<DueJob[]> {
  const { listed } = await import("../../lib/jobs/list.ts");
  const found: DueJob[] = [];
  for await (const page of listed(workspace)) found.push(...page.filter(isWanted));
  return found.sort((one, other) => one.dueAt - other.dueAt);
}

async function show(_options: TargetOptions, id: string): Promise<Output> {
  const { kind, workspace, state, attempts, sweeps, dueAt, payload } = await existingJob(id);
  const due = new Date(dueAt).toISOString();
  const details = { id, kind, workspace, state, attempts, sweeps, dueAt: due, payload: masked(payload) };
  return { json: details, text: JSON.stringify(details, null, 2) };
}

/** Names of fields whose values are never printed. */
const secretName = /secret|token|password|authorization|credential|sealed|api-?key|private/i;

function masked(value: unknown): unknown {
  const hide = (name: string, inner: unknown) => (secretName.test(name) && inner != null ? "…" : inner);
  return JSON.parse(JSON.stringify(value ?? null, hide));
}

async function retry(id: string): Promise<Output> {
  const job = await existingJob(id);
  if (job.state !== "failed") throw new UserError(`The job is ${job.state}. Only failed jobs can be retried.`);
  const [sent = false] = await retryJobs([job]);
  return { json: { id, retried: true, sent }, text: `Retried job ${id}. ${deliveryText(sent)}` };
}

async function retryAll(): Promise<Output> {
  const failed = await findJobs(({ state }) => state === "failed");
  const sent = await retryJobs(failed);
  const ids = failed.map(({ id }) => id);
  const isSent = sent.every(Boolean);
  const text =
    failed.length === 0 ? "No job has failed." : `Retried failed jobs: ${failed.length}. ${deliveryText(isSent)}`;
  return { json: { ids, sent: isSent }, text };
}

const deliveryText = (isSent: boolean) =>
  isSent ? "Sent to the queue." : "While the service runs, its sweeper sends each retried job within two minutes.";

/** Sets failed jobs to waiting. Returns for each job whether this command knows its queue. */
export async function retryJobs(jobs: readonly DueJob[]): Promise<boolean[]> {
  const { config } = await import("../../lib/config.ts");
  const { inParallel } = await import("../../lib/concurrency.ts");
  const { sendPointers } = await import("../../lib/jobs/queue.ts");
  const Job = await import("../../lib/jobs/store.ts");
  return inParallel(jobs, 8, async (job) => {
    const isQueued = config.queueUrl(job.kind) !== undefined;
    // Without a message, 0 makes the job overdue already, so that the next sweep sends it without the grace period.
    const dueAt = isQueued ? Date.now() : 0;
    if (await Job.retry(job, dueAt)) await sendPointers([{ ...job, dueAt }]);
    return isQueued;
  });
}
