import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { workspacePurgeJob } from "../../../lib/deletion/purge-job.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Blob from "../../../lib/store/blob.ts";
import { runWorker } from "../../support/run-worker.ts";

const names = ["a", "b-c_D"];
const read = async (workspace: string) => {
  const files = await Promise.all(names.map((name) => Blob.get({ workspace }, name)));
  return files.map((file) => file?.toString());
};
async function withFiles(workspace: string = randomUUID()): Promise<string> {
  for (const name of names) await Blob.put({ workspace }, name, Buffer.from(`${name} of ${workspace}`));
  return workspace;
}

it("a file is stored under its workspace and name, and a later one replaces it", async () => {
  const [one, other] = [await withFiles(), await withFiles("a/../ #%?é")];
  for (const workspace of [one, other]) expect(await read(workspace)).toEqual(names.map((n) => `${n} of ${workspace}`));
  await Blob.put({ workspace: one }, "a", Buffer.from([0, 255]));
  expect(await Blob.get({ workspace: one }, "a")).toEqual(Buffer.from([0, 255]));
  expect(await Blob.get({ workspace: randomUUID() }, "a")).toBeUndefined();
});

it("Blob.removeAll deletes all files of a workspace, and no file of another one", async () => {
  const [one, other] = [await withFiles(), await withFiles()];
  expect(await Blob.removeAll({ workspace: one })).toEqual({ found: true, isDone: true });
  expect(await Blob.removeAll({ workspace: one })).toEqual({ found: false, isDone: true });
  expect(await read(one)).toEqual([undefined, undefined]);
  expect(await read(other)).not.toContain(undefined);
});

it("the purge worker deletes the files of a deleted workspace", async () => {
  const [one, other] = [await withFiles(), await withFiles()];
  const job = { ...workspacePurgeJob(one), dueAt: Date.now() };
  await commit([], { jobs: [job] });
  await runWorker("purge", [job.id]);
  expect(await read(one)).toEqual([undefined, undefined]);
  expect(await read(other)).not.toContain(undefined);
});
