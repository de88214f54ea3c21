// What an update costs, whatever the size of the content.
import { describe, expect, it } from "vitest";
import { crdtUpdate, handler } from "../../../functions/editor-content/crdt-update.ts";
import { merge } from "../../../functions/workers/merge.ts";
import { mergeJob, mustWake } from "../../../lib/crdt/merge-job.ts";
import { deleteAll, putAll } from "../../../lib/dynamodb/batch-write.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { wake } from "../../../lib/jobs/wake.ts";
import * as Crdt from "../../../lib/store/crdt/crdt.ts";
import * as Updates from "../../../lib/store/crdt/crdt-updates.ts";
import type { Credentials } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { add, at, base64, editorOf, refOf, send, textOf, typed } from "../../support/crdt.ts";
import { newDocument } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { receive } from "../../support/run-worker.ts";
import { callSource } from "../../support/workspace.ts";

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
    expect(costs("call").at(-1)).toEqual({ roundTrips: 3, readUnits: 3, writeUnits: 2 });
  });

  it.each([
    [0, 256],
    [3_000_000, 256 + Math.floor(3_000_033 / 2_048)],
  ])("costs at most five write units more in the merge, in content of %d characters", async (size, count) => {
    const as = await withText("x".repeat(size));
    const ref = await refOf(as);
    const editor = await editorOf(as);
    const life = { ...ref, generation: editor.generation };
    const changes = typed(Array.from({ length: count }, () => "a"));
    // As crdt/update does it, but in batches.
    await putAll(changes.map((change) => Updates.appending(life, change)));
    const usedBytes = editor.sizeBytes + changes.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const counted = { usedBytes, waiting: count };
    await commit([Crdt.editorContentEntity.update(ref, { set: counted }, "present")]);
    const before = { ...editor, usedBytes: usedBytes - 20, waiting: count - 1 };
    expect([mustWake({ ...editor, ...counted }, 20), mustWake(before, 20)]).toEqual([true, false]);
    const job = mergeJob(life);
    await wake([job]);
    await receive(merge, [job.id]);
    expect(costs("job").at(-1)?.writeUnits).toBeLessThanOrEqual(5 * count);
    expect(await editorOf(as)).toMatchObject({ waiting: 0 });
    expect(await textOf(as)).toHaveLength(size + count);
  });

  it("wakes the merge once when 256 updates wait, and then with one of 16 updates", async () => {
    const as = await withText("");
    const ref = await refOf(as);
    const life = { ...ref, generation: (await editorOf(as)).generation };
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
