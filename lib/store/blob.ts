// Files in S3; no other module uses S3. A lifecycle rule of the bucket deletes expired files.
import { hash } from "node:crypto";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { clientOptions } from "../aws.ts";
import { readWithinCall, writeWithinCall } from "../call.ts";
import { config } from "../config.ts";
import type { WorkspaceRef } from "./refs.ts";

let client: S3Client | undefined;

/** Stores a file. Replaces a file of the same name. A name has letters, digits, `-` and `_`. */
export async function put(ref: WorkspaceRef, name: string, bytes: Buffer): Promise<void> {
  const command = new PutObjectCommand({ ...inBucket(), Key: folderOf(ref) + name, Body: bytes });
  await writeWithinCall((options) => s3().send(command, options));
}

/**
 * An address that takes the file by PUT, without credentials, for so many seconds. S3 refuses another size or type, since
 * both are in the signature.
 */
export function addressFor(
  ref: WorkspaceRef,
  name: string,
  { mimeType, sizeBytes, seconds }: { mimeType: string; sizeBytes: number; seconds: number },
): Promise<string> {
  const file = { ContentType: mimeType, ContentLength: sizeBytes };
  const command = new PutObjectCommand({ ...inBucket(), Key: folderOf(ref) + name, ...file });
  const signableHeaders = new Set(["host", "content-type", "content-length"]);
  return getSignedUrl(s3(), command, { expiresIn: seconds, signableHeaders });
}

/** Returns undefined when there is no such file, or it has expired. */
export async function get(ref: WorkspaceRef, name: string): Promise<Buffer | undefined> {
  try {
    const command = new GetObjectCommand({ ...inBucket(), Key: folderOf(ref) + name });
    return await readWithinCall(async (options) => {
      const { Body } = await s3().send(command, options);
      return Body && Buffer.from(await Body.transformToByteArray());
    });
  } catch (thrown) {
    if ((thrown as { name?: string }).name === "NoSuchKey") return undefined;
    throw thrown;
  }
}

/**
 * Deletes all files of a workspace, referenced or not. `found`: there were any. `isDone` is false when it stopped at
 * `until` (ms since the epoch).
 */
export async function removeAll(
  ref: WorkspaceRef,
  until = Number.POSITIVE_INFINITY,
): Promise<{ found: boolean; isDone: boolean }> {
  const list = new ListObjectsV2Command({ ...inBucket(), Prefix: folderOf(ref) });
  for (let found = false; ; found = true) {
    const { Contents = [] } = await readWithinCall((options) => s3().send(list, options));
    if (Contents.length === 0) return { found, isDone: true };
    if (found && Date.now() > until) return { found, isDone: false };
    const Objects = Contents.map(({ Key }) => ({ Key }));
    const command = new DeleteObjectsCommand({ ...inBucket(), Delete: { Objects, Quiet: true } });
    await writeWithinCall((options) => s3().send(command, options));
  }
}

/** Hashed, since a workspace's id can contain any character. */
const folderOf = ({ workspace }: WorkspaceRef) => `${hash("sha256", workspace, "hex")}/`;
const inBucket = () => ({ Bucket: config.fileBucket() });

function s3(): S3Client {
  // By default, the SDK adds a checksum to every upload. Only DeleteObjects requires a checksum.
  client ??= new S3Client({
    ...clientOptions(),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  return client;
}
