import { type Command, Option } from "commander";
import type { DueJob } from "../../lib/jobs/queue.ts";
import { type Answer, columns, type Io, Refusal, runs, type TargetOptions } from "./command.ts";
import { onTarget } from "./target.ts";

const states = ["waiting", "running", "failed"] as const;

interface ListOptions extends TargetOptions {
  workspace?: string;
  state?: (typeof states)[number];
}

interface RetryOptions extends TargetOptions {
  all?: true;
}

export function addJobs(program: Command, io: Io): void {
  const noun = program.command("jobs").description("list, show or retry background jobs");
  const listing = noun
    .command("list")
    .description("list the jobs that wait, run or have failed; done ones are not listed")
    .option("--workspace <api-key>", "only those of one workspace")
    .addOption(new Option("--state <state>", "only those in one state").choices(states));
  runs(listing, io, (options: ListOptions) => onTarget(options, () => list(options)));
  const showing = noun.command("show").description("show a job with its payload, without secrets").argument("<id>");
  runs(showing, io, (options, id: string) => onTarget(options, () => show(id)));
  const retrial = noun
    .command("retry")
    .description("let a failed job run again, or all of them")
    .argument("[id]", "as in the list")
    .option("--all", "all that have failed");
  runs(retrial, io, (options: RetryOptions, id?: string) => {
    if ((id === undefined) === (options.all === undefined)) throw new Refusal("Give either the id of a job, or --all.");
    return onTarget(options, () => (id === undefined ? retryAll() : retry(id)));
  });
}

async function list({ workspace, state }: ListOptions): Promise<Answer> {
  const jobs = await listed((job) => (!workspace || job.workspace === workspace) && (!state || job.state === state));
  const shown = jobs.map(({ id, kind, workspace, state, attempts, dueAt }) => {
    return { id, kind, workspace, state, attempts, dueAt: new Date(dueAt).toISOString() };
  });
  const rows = shown.map(({ id, kind, workspace, state, attempts, dueAt }) => {
    return [id, kind, workspace, state, String(attempts), dueAt];
  });
  return { json: shown, text: columns(["ID", "KIND", "WORKSPACE", "STATE", "ATTEMPTS", "DUE, OR FAILED"], rows) };
}

/** The longest overdue first. */
async function listed(isWanted: (job: DueJob) => boolean): Promise<DueJob[]> {
  const Job = await import("../../lib/jobs/store.ts");
  const found: DueJob[] = [];
  for await (const page of Job.listed()) found.push(...page.filter(isWanted));
  return found.sort((one, other) => one.dueAt - other.dueAt);
}

async function show(id: string): Promise<Answer> {
  const Job = await import("../../lib/jobs/store.ts");
  const job = id === "" ? undefined : await Job.get(id);
  if (!job) throw new Refusal(`There is no job "${id}" here. \`jobs list\` shows those that are not done.`);
  const { kind, workspace, state, attempts, sweeps, dueAt, payload } = job;
  const due = new Date(dueAt).toISOString();
  const shown = { id, kind, workspace, state, attempts, sweeps, dueAt: due, payload: masked(payload) };
  return { json: shown, text: JSON.stringify(shown, null, 2) };
}

/** Names of fields whose values are nobody's to see. */
const secretName = /secret|token|password|authorization|credential|sealed|api-?key|private/i;

function masked(value: unknown): unknown {
  const hide = (name: string, inner: unknown) => (secretName.test(name) && inner != null ? "…" : inner);
  return JSON.parse(JSON.stringify(value ?? null, hide));
}

async function retry(id: string): Promise<Answer> {
  const Job = await import("../../lib/jobs/store.ts");
  const job = id === "" ? undefined : await Job.get(id);
  if (!job) throw new Refusal(`There is no job "${id}" here. \`jobs list\` shows those that are not done.`);
  if (job.state !== "failed") throw new Refusal(`The job is ${job.state}: only failed ones can be retried.`);
  const [sent = false] = await again([job]);
  return { json: { id, retried: true, sent }, text: `The job runs again. ${whenText(sent)}` };
}

async function retryAll(): Promise<Answer> {
  const failed = await listed(({ state }) => state === "failed");
  const sent = await again(failed);
  const ids = failed.map(({ id }) => id);
  const isSent = sent.every(Boolean);
  const text = failed.length === 0 ? "No job has failed." : `${failed.length} run again. ${whenText(isSent)}`;
  return { json: { ids, sent: isSent }, text };
}

const whenText = (isSent: boolean) =>
  isSent ? "Its queue was told." : "The queue is not known here: the sweeper finds it within two minutes.";

/** Sets jobs back to waiting; answers for each whether its queue was told. */
async function again(jobs: readonly DueJob[]): Promise<boolean[]> {
  const { config } = await import("../../lib/config.ts");
  const { inParallel } = await import("../../lib/concurrency.ts");
  const { sendPointers } = await import("../../lib/jobs/queue.ts");
  const Job = await import("../../lib/jobs/store.ts");
  return inParallel(jobs, 8, async (job) => {
    const isQueued = config.queueUrl(job.kind) !== undefined;
    // Due since 1970, so that the sweeper's grace does not hold it up, unless its message is on the way.
    const dueAt = isQueued ? Date.now() : 0;
    if (await Job.retry(job, dueAt)) await sendPointers([{ ...job, dueAt }]);
    return isQueued;
  });
}
