import { inflateRawSync } from "node:zlib";
import { UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";

const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const entryBytes = 46;

/**
 * The files of an archive by their names, in lower case since producers disagree on it. A call unpacks a file. Throws
 * unless the archive's directory is valid, within the limits, and states the true size of the file.
 */
export function unzip(bytes: Buffer): Map<string, () => Buffer> {
  const files = new Map<string, () => Buffer>();
  const end = bytes.lastIndexOf("PK\x05\x06");
  refuseUnless(end >= 0);
  const count = bytes.readUInt16LE(end + 10);
  if (count > limits.entries) throw new UnreadableFile("tooLarge");
  let total = 0;
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    refuseUnless(bytes.readUInt32LE(at) === entrySignature);
    const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
    const [packed, unpacked] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const local = bytes.readUInt32LE(at + 42);
    const nameEnd = at + entryBytes + bytes.readUInt16LE(at + 28);
    const name = bytes
      .toString("utf8", at + entryBytes, nameEnd)
      .replaceAll("\\", "/")
      .toLowerCase();
    if (flags & 1) throw new UnreadableFile("encrypted");
    total += unpacked;
    if (unpacked > limits.entryBytes || total > limits.unpackedBytes) throw new UnreadableFile("tooLarge");
    // Files are never written to disk, but a name outside the archive shows that it is malicious.
    const isOutside = /^\/|^[a-z]:|\0/.test(name) || name.split("/").includes("..");
    refuseUnless((method === 0 || method === 8) && !files.has(name) && !isOutside);
    files.set(name, () => {
      refuseUnless(bytes.readUInt32LE(local) === localSignature);
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const data = bytes.subarray(start, start + packed);
      const file = method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, unpacked) });
      refuseUnless(file.length === unpacked);
      return file;
    });
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

function refuseUnless(holds: boolean): void {
  if (!holds) throw new UnreadableFile("damaged");
}
