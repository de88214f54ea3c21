// Uploads, and extractions from them. test/infra/local/s3.engines.test.ts sends files to the address of an upload.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { agentsExtract } from "../../../functions/models-and-agents/agents-extract.ts";
import { agentsUploadsCreate } from "../../../functions/models-and-agents/agents-uploads-create.ts";
import * as Blob from "../../../lib/store/blob.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { csv, extract, fileOf, startExtractionVendor, withKeys } from "../../support/extraction.ts";

const vendor = await startExtractionVendor();
const mimeType = "text/csv";
let alice: Credentials;
beforeEach(async () => {
  alice = await withKeys(vendor);
});

const create = (data: object = { mimeType, sizeBytes: csv.length }, as = alice) =>
  call(agentsUploadsCreate, { as, data });

/** Creates an upload and stores the file there, as S3 does. Returns its id. */
async function uploadOf(content: string): Promise<string> {
  const { uploadId, url } = await must(agentsUploadsCreate, {
    as: alice,
    data: { mimeType, sizeBytes: content.length },
  });
  const name = new URL(url).pathname.split("/").at(-1) ?? "";
  await Blob.put({ workspace: alice.apiKey }, name, Buffer.from(content));
  return uploadId;
}

describe("an upload", () => {
  it("has an address for 15 minutes, with type and size in its signature", async () => {
    const { data } = await create();
    expect(data.headers).toEqual({ "content-type": mimeType, "content-length": String(csv.length) });
    const { searchParams } = new URL(data.url);
    expect(searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host");
    expect(searchParams.get("X-Amz-Expires")).toBe("900");
  });

  it("has headers that can be sent, whatever stands behind the type", async () => {
    for (const more of ["; charset=utf-8", ";\r\nX-More: 1", ";\0", "; name=日", `;${"x".repeat(20_000)}`]) {
      const data = { mimeType: `${mimeType.toUpperCase()}${more}`, sizeBytes: 1 };
      const { headers } = await must(agentsUploadsCreate, { as: alice, data });
      expect(headers["content-type"]).toBe(mimeType);
    }
  });

  it("is extracted like a file in a call, and finds the run of the same file", async () => {
    const { data } = await extract(alice, { uploadId: await uploadOf(csv), mimeType });
    expect(data.extractionResult.totalTasksParsed).toBe(3);
    expect((await extract(alice, fileOf(csv))).data).toEqual(data);
    expect(vendor.requests).toHaveLength(1);
  });

  it("is INVALID_ARGUMENT with a size above 5 MB, without a size, and of an unknown type", async () => {
    for (const data of [
      { mimeType, sizeBytes: 5 * 1_024 * 1_024 + 1 },
      { mimeType },
      { mimeType: "image/png", sizeBytes: 1 },
    ])
      expect((await create(data)).error?.status).toBe("INVALID_ARGUMENT");
  });
});

describe("an extraction is INVALID_ARGUMENT of uploadId", () => {
  const refusalOf = async (as: Credentials, data: object) => {
    const { error } = await call(agentsExtract, { as, data: { mimeType, ...data } });
    const [issue] = (error?.details as { issues?: { path: string[]; message: string }[] })?.issues ?? [];
    return [error?.status, issue?.path, issue?.message];
  };
  const unusable = "Has no file, or is older than 24 hours: create an upload and send the file to its url.";

  it("when nothing was uploaded, when the id is of another workspace, and when it is no id", async () => {
    const { data } = await create();
    const other = await withKeys(vendor);
    const used = await uploadOf(csv);
    for (const [as, uploadId] of [
      [alice, data.uploadId],
      [other, used],
      [alice, "../x"],
      [alice, ""],
    ] as const)
      expect(await refusalOf(as, { uploadId })).toEqual(["INVALID_ARGUMENT", ["uploadId"], unusable]);
  });

  it("24 hours after the upload was created", async () => {
    const uploadId = await uploadOf(csv);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 3_600_000 });
    expect(await refusalOf(alice, { uploadId })).toEqual(["INVALID_ARGUMENT", ["uploadId"], unusable]);
    vi.useRealTimers();
  });

  it("when its bytes are not of the type", async () => {
    const uploadId = await uploadOf("%PDF-1.7 and so on");
    expect((await refusalOf(alice, { uploadId }))[2]).toContain("not match mimeType");
  });

  it("beside fileBase64; and fileBase64 is named when there is neither", async () => {
    expect(await refusalOf(alice, { ...fileOf(csv), uploadId: "u" })).toEqual([
      "INVALID_ARGUMENT",
      ["uploadId"],
      "Give either fileBase64 or uploadId.",
    ]);
    expect((await refusalOf(alice, {})).slice(0, 2)).toEqual(["INVALID_ARGUMENT", ["fileBase64"]]);
  });
});
