// Files that a client sends to S3 itself, since a call of Lambda takes less than 5 MB in base64.
import { randomBytes } from "node:crypto";
import { invalidField } from "../errors.ts";
import * as Blob from "../store/blob.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import { essenceOf } from "./file-type.ts";

/** How long the address takes the file. */
const addressSeconds = 900;
/** How long an extraction takes the upload: as long as a repeated call finds its run. */
const usableMs = 24 * 3_600_000;

const nameOf = (uploadId: string) => `upload-${uploadId}`;

/** Returns an address that takes one file of this type and size. */
export async function create(ref: WorkspaceRef, { sizeBytes, ...file }: { mimeType: string; sizeBytes: number }) {
  const mimeType = essenceOf(file.mimeType);
  const uploadId = `${Date.now().toString(36)}-${randomBytes(12).toString("hex")}`;
  const headers = { "content-type": mimeType, "content-length": String(sizeBytes) };
  const url = await Blob.addressFor(ref, nameOf(uploadId), { mimeType, sizeBytes, seconds: addressSeconds });
  return { uploadId, url, headers, expiresAt: Math.floor(Date.now() / 1_000) + addressSeconds };
}

/** The bytes of an upload of the workspace. Throws INVALID_ARGUMENT when nothing was uploaded, or its time is over. */
export async function bytesOf(ref: WorkspaceRef, uploadId: string): Promise<Buffer> {
  const createdAt = /^([0-9a-z]{1,10})-[0-9a-f]{24}$/.exec(uploadId)?.[1];
  const isUsable = createdAt !== undefined && Number.parseInt(createdAt, 36) > Date.now() - usableMs;
  const bytes = isUsable ? await Blob.get(ref, nameOf(uploadId)) : undefined;
  if (bytes) return bytes;
  throw invalidField(
    ["uploadId"],
    "Has no file, or is older than 24 hours: create an upload and send the file to its url.",
  );
}
