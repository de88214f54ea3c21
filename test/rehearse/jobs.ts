// The jobs of a rehearsal: calls whose jobs the workers run, and lost messages that the sweeper sends again.
import { jobKinds } from "../../lib/grants.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { itemsOf } from "../support/scan.ts";
import { rehearseExtractions } from "./extractions.ts";
import { loseMessages, runScenes } from "./job-scenes.ts";
import { startModel } from "./model.ts";
import { startOutside } from "./outside.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { type Row, rowOf } from "./report.ts";
import { startTeam } from "./team.ts";

/** The sweeper finds on a later round what a first one has not, because DynamoDB was throttled meanwhile. */
const roundsMax = 4;

/**
 * Runs all workers and what starts their jobs, each with its own role. `taken`: by worker, permissions that it
 * lacks until a request is denied because of them.
 */
export async function rehearseJobs(
  rehearsal: Rehearsal,
  taken: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<Row[]> {
  const outside = await startOutside();
  const as = await furnishedWorkspace();
  const model = await startModel(as.apiKey);
  const team = await startTeam(rehearsal, as, taken);
  try {
    const notDrafted = await rehearseExtractions(team);
    await runScenes(team, outside);
    const deleted = await loseMessages(as);
    const workspaces = [as.apiKey, deleted];
    let unfinished: string[] = [];
    for (let round = 0; round < roundsMax; round++) {
      await team.sweep();
      for (const workspace of workspaces) await team.runAll(workspace);
      unfinished = (await Promise.all(workspaces.map(unfinishedOf))).flat();
      if (unfinished.length === 0 || team.isDenied(...jobKinds, "sweeper")) break;
    }
    const rows = [...team.workers].map(([name, worker]) => {
      const left = unfinished.filter((kind) => kind === name).map(() => "A job is not done.");
      const undelivered = name === "drain" && !outside.hasAccepted() ? ["No repeated delivery has arrived."] : [];
      const undrafted = name === "draft" ? notDrafted : [];
      return rowOf(rehearsal.function(name), worker, team.runsOf(name), [...left, ...undelivered, ...undrafted]);
    });
    return [...rows, ...team.senders.rows()];
  } finally {
    model.close();
    await team.end();
    await outside.close();
  }
}

/** The kinds of the jobs that are not done. */
async function unfinishedOf(workspace: string): Promise<string[]> {
  const jobs = (await itemsOf(workspace)).filter(({ pk }) => pk.startsWith("JOB#"));
  return jobs.filter(({ state }) => state !== "done").map(({ kind }) => String(kind));
}
