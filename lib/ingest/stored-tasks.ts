// The tasks of a run's file, stored between the step that reads the file and the step that asks the model.
import * as Blob from "../store/blob.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { Numbered } from "./grouping.ts";

export interface StoredTasks extends Numbered {
  sourceId: string;
}

const nameOf = (runId: string) => `${runId}-tasks`;

export function put(ref: WorkspaceRef, runId: string, tasks: StoredTasks): Promise<void> {
  return Blob.put(ref, nameOf(runId), Buffer.from(JSON.stringify(tasks)));
}

/** Undefined when they have expired. */
export async function get(ref: WorkspaceRef, runId: string): Promise<StoredTasks | undefined> {
  const bytes = await Blob.get(ref, nameOf(runId));
  return bytes && JSON.parse(bytes.toString());
}
