// Waits until a job has ended, and shows its progress. The job goes on if the command is interrupted.

import { Option } from "commander";
import { pause } from "../../lib/concurrency.ts";
import type { Job } from "../../lib/store/job.ts";
import { visibleLines } from "../../lib/visible.ts";
import { word } from "../cli/quoted.ts";
import { type Io, type Output, type TargetOptions, UserError } from "./command.ts";

export interface WaitOptions extends TargetOptions {
  wait?: true;
}

/** The output of a command that has begun a job. */
export type JobOutput = Omit<Output, "json"> & { json: { job: string; [field: string]: unknown } };

const pollMs = 1_000;

export const waitOption = () => new Option("--wait", "wait until the job has ended, and show its progress");

/** The output of a command that has begun a job: says how to follow the job, or waits for its end. */
export async function followed(io: Io, options: WaitOptions, id: string, begun: Output): Promise<Output> {
  const told = `${begun.text}\nTo follow it: ${followCommand(options, id)}`;
  if (!options.wait) return { ...begun, text: told };
  // At once: the wait can be interrupted, and what has begun goes on.
  io.printError(`${visibleLines(told)}\n`);
  const { state, text, status } = await untilEnded(io, options, id);
  return { json: { ...begun.json, state }, text, status };
}

function followCommand({ stack, data }: TargetOptions, id: string): string {
  const place = stack === undefined ? (data === ".data" ? "" : ` --data ${word(data)}`) : ` --stack ${stack}`;
  return `npm run admin -- jobs wait ${id}${place}`;
}

interface Ended {
  state: "done" | "failed";
  text: string;
  status: number;
}

/** Returns how the job has ended. `UserError` for an unknown job, and when nothing runs it. */
export async function untilEnded(io: Io, options: TargetOptions, id: string): Promise<Ended> {
  let shown = "";
  try {
    for (;;) {
      const job = await existingJob(id);
      const line = `${job.kind} job: ${progressOf(job)}`;
      if (line !== shown) show(line, shown);
      shown = line;
      if (job.state === "done" || job.state === "failed") return endOf(job, options);
      await requireServer(options);
      await pause(pollMs);
    }
  } finally {
    if (io.isTerminal && shown !== "") io.printError("\n");
  }

  /** A terminal gets one line that changes. */
  function show(line: string, former: string): void {
    io.printError(io.isTerminal ? `\r${line.padEnd(former.length)}` : `${line}\n`);
  }
}

/** Throws UserError for an unknown id. */
export async function existingJob(id: string): Promise<Job> {
  const { get } = await import("../../lib/jobs/store.ts");
  const job = id === "" ? undefined : await get(id);
  if (!job) throw new UserError(`There is no job "${id}". Run \`jobs list\` to see the jobs that are not done.`);
  return job;
}

function progressOf({ state, dueAt, attempts, payload: { progress } }: Job): string {
  const count =
    progress && (progress.total === undefined ? `${progress.done}` : `${progress.done} of ${progress.total}`);
  const failures = state === "waiting" && attempts > 0 ? `failed ${attempts} times, tried again` : undefined;
  const due = state === "waiting" && dueAt > Date.now() && `due at ${new Date(dueAt).toISOString().slice(11, 19)} UTC`;
  return [state, count && `${count} done`, failures, due].filter(Boolean).join(", ");
}

function endOf({ id, state, payload: { failure } }: Job, options: TargetOptions): Ended {
  if (state === "done" && failure === undefined) return { state, text: "The job is done.", status: 0 };
  if (failure !== undefined) return { state: "failed", text: `The job has failed: ${failure}`, status: 1 };
  const command = (verb: string) => followCommand(options, id).replace("jobs wait", `jobs ${verb}`);
  const text = `The job has failed several times in a row. To see it: ${command("show")}\nTo retry it: ${command("retry")}`;
  return { state: "failed", text, status: 1 };
}

/** Without a server, nothing runs the jobs of a data folder. */
async function requireServer({ stack, data }: TargetOptions): Promise<void> {
  if (stack !== undefined) return;
  const { dataFolder } = await import("../local/data-folder.ts");
  const { runningServer } = await import("../local/lock.ts");
  if (!runningServer(dataFolder(data))) {
    throw new UserError(`No server runs on ${data}, so nothing runs the job. It runs after \`npm start\`.`);
  }
}
