import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { workspacePurgeJob } from "../../../lib/deletion/purge.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Blob from "../../../lib/store/blob.ts";
import { handlerOf } from "../../support/bundles.ts";
import { contextOf } from "../../support/call.ts";

const names = ["a", "b-c_D"];
const read = async (workspace: string) => {
  const files = await Promise.all(names.map((name) => Blob.get(workspace, name)));
  return files.map((file) => file?.toString());
};
async function withFiles(workspace: string = randomUUID()): Promise<string> {
  for (const name of names) await Blob.put(workspace, name, Buffer.from(`${name} of ${workspace}`));
  return workspace;
}

it("keeps files by workspace and name, the last one under a name", async () => {
  const [one, other] = [await withFiles(), await withFiles("a/../ #%?é")];
  for (const workspace of [one, other]) expect(await read(workspace)).toEqual(names.map((n) => `${n} of ${workspace}`));
  await Blob.put(one, "a", Buffer.from([0, 255]));
  expect(await Blob.get(one, "a")).toEqual(Buffer.from([0, 255]));
  expect(await Blob.get(randomUUID(), "a")).toBeUndefined();
});

it("removes all files of a workspace, and those of no other", async () => {
  const [one, other] = [await withFiles(), await withFiles()];
  expect(await Blob.removeAll(one)).toBe(true);
  expect(await Blob.removeAll(one)).toBe(false);
  expect(await read(one)).toEqual([undefined, undefined]);
  expect(await read(other)).not.toContain(undefined);
});

it("is emptied of a deleted workspace by the worker's bundle", async () => {
  const [one, other] = [await withFiles(), await withFiles()];
  const job = workspacePurgeJob(one);
  await commit([], { jobs: [job] });
  const purge = await handlerOf("purge");
  const Records = [{ messageId: job.id, body: job.id }];
  expect(await purge({ Records }, contextOf("purge", 60_000))).toEqual({ batchItemFailures: [] });
  expect(await read(one)).toEqual([undefined, undefined]);
  expect(await read(other)).not.toContain(undefined);
});
