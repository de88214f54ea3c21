import { expect, it, vi } from "vitest";
import * as Y from "yjs";
import { compact, merge } from "../../../lib/crdt/updates.ts";
import { made } from "../../support/crdt-histories.ts";

vi.mock(import("yjs"), async (original) => {
  const yjs = await original();
  return { ...yjs, mergeUpdates: vi.fn(yjs.mergeUpdates) };
});

it("merges 5,000 updates in groups, since the time of one merge grows with the square of its updates", () => {
  const text = (at: number) => ({ client: at % 3, kind: "insert", at, text: "a" });
  const updates = made(Array.from({ length: 5_000 }, (_, at) => text(at)));
  expect(compact(merge(updates.toReversed())).byteLength).toBeGreaterThan(0);
  const sizes = vi.mocked(Y.mergeUpdates).mock.calls.map(([few]) => few.length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(128);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1.02 * updates.length);
});
