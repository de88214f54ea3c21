import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { startS3 } from "../../../infra/local/s3.ts";
import { listen } from "../../support/net/listen.ts";

afterEach(() => void vi.unstubAllEnvs());

/** The functions of `store/blob.ts`, with a client of an S3 of its own. */
async function blobs() {
  const dir = await mkdtemp(join(tmpdir(), "s3-"));
  const s3 = await startS3(dir);
  onTestFinished(async () => {
    await s3.close();
    await rm(dir, { recursive: true, force: true });
  });
  const Blob = await blobsAt(s3.endpoint);
  await Blob.put({ workspace: "w" }, "a", Buffer.from("text"));
  return Blob;
}

async function blobsAt(endpoint: string) {
  vi.stubEnv("AWS_ENDPOINT_URL_S3", endpoint);
  vi.resetModules();
  return import("../../../lib/store/blob.ts");
}

it("a missing file is missing for a role that may list, which is every role that reads", async () => {
  const Blob = await blobs();
  expect((await Blob.get({ workspace: "w" }, "a"))?.toString()).toBe("text");
  expect(await Blob.get({ workspace: "w" }, "b")).toBeUndefined();
});

it("a missing file is a refusal for a role that may not list: as in S3, it is never taken for a missing file", async () => {
  const body = "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>";
  const port = await listen((_, response) => {
    response.writeHead(403, { "content-type": "application/xml" }).end(body);
  });
  const Blob = await blobsAt(`http://127.0.0.1:${port}`);
  const refusal = { name: "AccessDenied", $metadata: { httpStatusCode: 403 } };
  await expect(Blob.get({ workspace: "w" }, "b")).rejects.toMatchObject(refusal);
  await expect(Blob.removeAll({ workspace: "w" })).rejects.toMatchObject(refusal);
});

describe("an address for an upload", () => {
  const type = "text/csv";
  const send = async (url: string, content: string, contentType = type) => {
    const reply = await fetch(url, { method: "PUT", body: content, headers: { "content-type": contentType } });
    return [reply.status, /<Code>(\w+)</.exec(await reply.text())?.[1]];
  };
  const addressOf = async (seconds = 900) => {
    const Blob = await blobs();
    const url = await Blob.addressFor({ workspace: "w" }, "u", { mimeType: type, sizeBytes: 4, seconds });
    return { Blob, url };
  };

  it("takes a file of the size and the type, which is read under its name", async () => {
    const { Blob, url } = await addressOf();
    expect(await send(url, "a,b\n")).toEqual([200, undefined]);
    expect((await Blob.get({ workspace: "w" }, "u"))?.toString()).toBe("a,b\n");
  });

  it("takes no other size, type, name or time", async () => {
    const { Blob, url } = await addressOf();
    const refused = [403, "SignatureDoesNotMatch"];
    expect(await send(url, "a,b,c\n")).toEqual(refused);
    expect(await send(url, "a,b\n", "text/html")).toEqual(refused);
    expect(await send(url.replace("/u?", "/v?"), "a,b\n")).toEqual(refused);
    expect(await send(url.replace("Expires=900", "Expires=9000"), "a,b\n")).toEqual(refused);
    expect(await send((await addressOf(0)).url, "a,b\n")).toEqual([403, "AccessDenied"]);
    expect(await Blob.get({ workspace: "w" }, "u")).toBeUndefined();
  });
});
