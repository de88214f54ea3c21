// Ids, keys and waiting times are drawn from a seed: the name of the test. So a test draws the same values each time, on
// any machine, whatever other tests draw.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

let state = 0;

/** Mulberry32. Returns 32 random bits. */
function next(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

/** Begins a new sequence of draws. Equal names have equal sequences. */
export function drawAs(name: string): void {
  state = crypto.hash("sha256", name, "buffer").readInt32LE();
}

const bytes = (size: number): Buffer => {
  const drawn = Buffer.alloc(Math.ceil(size / 4) * 4);
  for (let at = 0; at < size; at += 4) drawn.writeUInt32LE(next(), at);
  return drawn.subarray(0, size);
};

function uuid(): ReturnType<typeof crypto.randomUUID> {
  const drawn = bytes(16);
  drawn[6] = 0x40 | ((drawn[6] as number) & 0x0f);
  drawn[8] = 0x80 | ((drawn[8] as number) & 0x3f);
  const hex = drawn.toString("hex");
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
  Math.random = () => next() / 4_294_967_296;
}
