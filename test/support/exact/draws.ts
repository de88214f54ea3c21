// Ids, keys and waiting times are drawn from a seed: the file and the name of the test. So a test draws the same values
// each time.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { Random } from "../random.ts";

let drawn = new Random("");
const next = () => drawn.below(2 ** 32);

/** Begins a new sequence of draws. Equal names have equal sequences. */
export function drawAs(name: string): void {
  drawn = new Random(name);
}

const bytes = (size: number): Buffer => {
  const buffer = Buffer.alloc(Math.ceil(size / 4) * 4);
  for (let at = 0; at < size; at += 4) buffer.writeUInt32LE(next(), at);
  return buffer.subarray(0, size);
};

function uuid(): ReturnType<typeof crypto.randomUUID> {
  const made = bytes(16);
  made[6] = 0x40 | ((made[6] as number) & 0x0f);
  made[8] = 0x80 | ((made[8] as number) & 0x3f);
  const hex = made.toString("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return parts.join("-") as ReturnType<typeof crypto.randomUUID>;
}

function fill<A extends ArrayBufferView>(array: A): A {
  bytes(array.byteLength).copy(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return array;
}

/** Replaces every source of chance of this process. */
export function drawFromNames(): void {
  const int = (one: number, other?: number) => {
    const [min, max] = other === undefined ? [0, one] : [one, other];
    return min + (next() % (max - min));
  };
  Object.assign(crypto, { randomUUID: uuid, randomBytes: bytes, randomInt: int });
  syncBuiltinESMExports();
  Object.assign(globalThis.crypto, { randomUUID: uuid, getRandomValues: fill });
  Math.random = () => drawn.next();
}
