// Files, and the only file that speaks to S3. What is stored here is forgotten by the bucket's own rule after 30 days.
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { callSignal } from "../call.ts";
import { config } from "../config.ts";

let client: S3Client | undefined;

function s3(): S3Client {
  // The checksums that the SDK would add are for what is sent in parts.
  client ??= new S3Client({ requestChecksumCalculation: "WHEN_REQUIRED", responseChecksumValidation: "WHEN_REQUIRED" });
  return client;
}

export async function put(key: string, bytes: Buffer): Promise<void> {
  await s3().send(new PutObjectCommand({ Bucket: config.fileBucket(), Key: key, Body: bytes }), withinCall());
}

/** The file; undefined where there is none, or none any more. */
export async function get(key: string): Promise<Buffer | undefined> {
  try {
    const { Body } = await s3().send(new GetObjectCommand({ Bucket: config.fileBucket(), Key: key }), withinCall());
    return Body && Buffer.from(await Body.transformToByteArray());
  } catch (thrown) {
    if ((thrown as { name?: string }).name === "NoSuchKey") return undefined;
    throw thrown;
  }
}

function withinCall() {
  const abortSignal = callSignal();
  return abortSignal ? { abortSignal } : {};
}
