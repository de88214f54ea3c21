import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { inCall, newCallRecord } from "../../../lib/call.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Part } from "../../../lib/memory/parts.ts";
import { readSegment } from "../../../lib/memory/read-segment.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["hrtime"] }));
afterEach(() => void vi.useRealTimers());

/** A part whose records each take 5 ms to index. */
async function slowPart(records: number, onFirst = () => {}): Promise<Part> {
  const pk = `W#${randomUUID()}#slow`;
  const items = Array.from({ length: records }, (_, index) => ({ pk, sk: String(index).padStart(3, "0") }));
  await putAll(items.map((item) => ({ put: item })) as never);
  let count = 0;
  return {
    pk,
    name: pk,
    versions: new Map(),
    attributes: ["sk"],
    changedSince: async () => [],
    entryOf({ sk }) {
      if (count++ === 0) onFirst();
      vi.advanceTimersByTime(5);
      return { pk, sk, at: 0, text: `word${sk}` };
    },
  };
}

it("readSegment reads all records of a part", async () => {
  const { segment, next } = await readSegment(await slowPart(3), () => true);
  expect([segment.size, segment.frequency("word002"), next]).toEqual([3, 1, undefined]);
});

it("readSegment ends when the call ends while it indexes a page", async () => {
  const end = new AbortController();
  const part = await slowPart(30, () => setImmediate(() => end.abort(new Error("The call has ended."))));
  await expect(inCall(newCallRecord("r", end.signal), () => readSegment(part, () => true))).rejects.toThrow(
    "The call has ended.",
  );
});
