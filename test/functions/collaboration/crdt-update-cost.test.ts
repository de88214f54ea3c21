// What an update costs, whatever the size of the content.
import { describe, expect, it } from "vitest";
import { crdtUpdate, handler } from "../../../functions/collaboration/crdt-update.ts";
import { merge } from "../../../functions/workers/merge.ts";
import { mergeJob } from "../../../lib/crdt/merge-job.ts";
import { deleteAll } from "../../../lib/dynamodb/batch-write.ts";
import * as Crdt from "../../../lib/store/crdt.ts";
import type { Credentials } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { add, at, base64, editorOf, refOf, send, textOf, typed } from "../../support/crdt.ts";
import { onPlainEngine } from "../../support/engine/plain.ts";
import { newDocument } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { receive } from "../../support/run-worker.ts";
import { callSource } from "../../support/workspace.ts";

onPlainEngine("asserts the number of units");

const costs = (message: string) =>
  logs()
    .filter((line) => line.message === message)
    .map(({ roundTrips, readUnits, writeUnits }) => ({ roundTrips, readUnits, writeUnits }));

async function withText(data: string): Promise<Credentials> {
  const as = await newDocument();
  await add(as, { type: "text", data });
  return as;
}

describe("an update of one character", () => {
  it.each([0, 3_000_000])("costs two write units in content of %d characters", async (size) => {
    const as = await withText("x".repeat(size));
    const data = { ...at, update: base64(typed(["a"])[0] as Uint8Array) };
    // The second call finds the credentials and the organization in the container.
    for (const _ of [1, 2]) expect(await callSource(handler, crdtUpdate, data, as)).toBe(200);
    expect(costs("call").at(-1)).toEqual({ roundTrips: 3, readUnits: 2, writeUnits: 2 });
  });

  it("wakes the merge once when 256 updates wait, and then with one of 16 updates", async () => {
    const as = await withText("");
    const ref = await refOf(as);
    const life = { ...ref, generation: Crdt.generationOf(await editorOf(as)) };
    const { id } = mergeJob(life);
    const changes = typed(Array.from({ length: 300 }, () => "a"));
    const woken: number[] = [];
    for (const [index, change] of changes.entries()) {
      await send(as, change);
      const [job] = await jobsOf(as, "merge");
      if (!job) continue;
      woken.push(index + 1);
      if (woken.length === 3) break;
      // As if the call had died before it woke the job.
      await deleteAll([{ pk: `JOB#${id}`, sk: "JOB" }]);
    }
    expect(woken).toEqual([256, 272, 288]);
    await receive(merge, [id]);
    expect(await textOf(as)).toBe("a".repeat(288));
    expect(await editorOf(as)).toMatchObject({ waiting: 0 });
  });
});
