import { inflateRawSync } from "node:zlib";
import { UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";

const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const entryBytes = 46;

/**
 * The files of an archive, by name: a call unpacks one. Names are in lower case, as producers disagree on it. Throws
 * unless the directory is valid and within the limits. A file whose size is not as stated is damaged.
 */
export function unzip(bytes: Buffer): Map<string, () => Buffer> {
  return orDamaged(() => directoryOf(bytes));
}

function directoryOf(bytes: Buffer): Map<string, () => Buffer> {
  const end = bytes.lastIndexOf("PK\x05\x06");
  refuseUnless(end >= 0 && bytes.length - end >= endBytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > limits.entries) throw new UnreadableFile("tooLarge");
  const files = new Map<string, () => Buffer>();
  let total = 0;
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    refuseUnless(bytes.readUInt32LE(at) === entrySignature);
    const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
    const [packed, unpacked] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + entryBytes, at + entryBytes + nameLength).replaceAll("\\", "/");
    if (flags & 1) throw new UnreadableFile("encrypted");
    total += unpacked;
    if (unpacked > limits.entryBytes || total > limits.unpackedBytes) throw new UnreadableFile("tooLarge");
    const key = name.toLowerCase();
    refuseUnless((method === 0 || method === 8) && !files.has(key) && isInside(name));
    const local = bytes.readUInt32LE(at + 42);
    files.set(key, () => orDamaged(() => unpack(bytes, local, { packed, unpacked, method })));
    at += entryBytes + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

function unpack(bytes: Buffer, at: number, entry: { packed: number; unpacked: number; method: number }): Buffer {
  const { packed, unpacked, method } = entry;
  refuseUnless(bytes.readUInt32LE(at) === localSignature);
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  const data = bytes.subarray(start, start + packed);
  refuseUnless(data.length === packed);
  const file = method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, unpacked) });
  refuseUnless(file.length === unpacked);
  return file;
}

/** Files are never written to disk, but a name outside the archive shows that it is malicious. */
function isInside(name: string): boolean {
  return !/^\/|^[a-z]:|\0/i.test(name) && !name.split("/").includes("..");
}

function refuseUnless(holds: boolean): void {
  if (!holds) throw new UnreadableFile("damaged");
}

function orDamaged<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw thrown instanceof UnreadableFile ? thrown : new UnreadableFile("damaged", { cause: thrown });
  }
}
