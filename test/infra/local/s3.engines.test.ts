import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { startS3 } from "../../../infra/local/s3.ts";

afterEach(() => void vi.unstubAllEnvs());

/** The functions of `store/blob.ts`, with a client of an S3 of its own. */
async function blobs(mayList: boolean) {
  const dir = await mkdtemp(join(tmpdir(), "s3-"));
  const s3 = await startS3(dir, { mayList });
  onTestFinished(async () => {
    await s3.close();
    await rm(dir, { recursive: true, force: true });
  });
  vi.stubEnv("AWS_ENDPOINT_URL_S3", s3.endpoint);
  vi.resetModules();
  const Blob = await import("../../../lib/store/blob.ts");
  await Blob.put({ workspace: "w" }, "a", Buffer.from("text"));
  return Blob;
}

it("a missing file is missing for a role that may list, which is every role that reads", async () => {
  const Blob = await blobs(true);
  expect((await Blob.get({ workspace: "w" }, "a"))?.toString()).toBe("text");
  expect(await Blob.get({ workspace: "w" }, "b")).toBeUndefined();
});

it("a missing file is a refusal for a role that may not list: as in S3, it is never taken for a missing file", async () => {
  const Blob = await blobs(false);
  expect((await Blob.get({ workspace: "w" }, "a"))?.toString()).toBe("text");
  const refusal = { name: "AccessDenied", $metadata: { httpStatusCode: 403 } };
  await expect(Blob.get({ workspace: "w" }, "b")).rejects.toMatchObject(refusal);
  await expect(Blob.removeAll({ workspace: "w" })).rejects.toMatchObject(refusal);
});
