// Files, and the only file that speaks to S3. The bucket's own rule forgets what is stored here when its time is over.
import { hash } from "node:crypto";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { callSignal } from "../call.ts";
import { config } from "../config.ts";

let client: S3Client | undefined;

/** Stores a file under a name of letters, digits, `-` and `_`, in place of an earlier one. */
export async function put(workspace: string, name: string, bytes: Buffer): Promise<void> {
  await s3().send(new PutObjectCommand({ ...inBucket(), Key: folderOf(workspace) + name, Body: bytes }), withinCall());
}

/** The file; undefined where there is none, or none any more. */
export async function get(workspace: string, name: string): Promise<Buffer | undefined> {
  try {
    const command = new GetObjectCommand({ ...inBucket(), Key: folderOf(workspace) + name });
    const { Body } = await s3().send(command, withinCall());
    return Body && Buffer.from(await Body.transformToByteArray());
  } catch (thrown) {
    if ((thrown as { name?: string }).name === "NoSuchKey") return undefined;
    throw thrown;
  }
}

/** Removes all files of a workspace, whether or not anything still names them. Answers whether there was any. */
export async function removeAll(workspace: string): Promise<boolean> {
  const list = new ListObjectsV2Command({ ...inBucket(), Prefix: folderOf(workspace) });
  for (let found = false; ; found = true) {
    const { Contents = [] } = await s3().send(list, withinCall());
    if (Contents.length === 0) return found;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    await s3().send(new DeleteObjectsCommand({ ...inBucket(), Delete: { Objects, Quiet: true } }), withinCall());
  }
}

/** A workspace's id may hold anything. */
const folderOf = (workspace: string) => `${hash("sha256", workspace, "hex")}/`;
const inBucket = () => ({ Bucket: config.fileBucket() });

function s3(): S3Client {
  // The checksums that the SDK would add to everything are for what is sent in parts.
  client ??= new S3Client({ requestChecksumCalculation: "WHEN_REQUIRED", responseChecksumValidation: "WHEN_REQUIRED" });
  return client;
}

function withinCall() {
  const abortSignal = callSignal();
  return abortSignal ? { abortSignal } : {};
}
