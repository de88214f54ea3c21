// The files of a run: the lines between its steps, the model's answers, and the result. Each is stored before the item
// that refers to it changes.
import { hash } from "node:crypto";
import * as Blob from "../store/blob.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { Content } from "./file-content.ts";

interface RunRef extends WorkspaceRef {
  runId: string;
}

/** The lines of a run's file. */
export interface StoredLines extends Content {
  sourceId: string;
}

const store = (suffix: string) => ({
  write: ({ workspace, runId }: RunRef, value: unknown) =>
    Blob.put({ workspace }, `${runId}-${suffix}`, Buffer.from(JSON.stringify(value))),
  /** Undefined when it was not stored, or has expired. */
  read: async ({ workspace, runId }: RunRef) => {
    const bytes = await Blob.get({ workspace }, `${runId}-${suffix}`);
    return bytes && JSON.parse(bytes.toString());
  },
});

export const lines = store("lines");
export const result = store("result");

/** A model's answer to a prompt. `runId` is that of the first run: a run that follows a failed one does not pay again. */
export const answerTo = (prompt: string) => store(`answer-${hash("sha256", prompt, "hex").slice(0, 32)}`);
