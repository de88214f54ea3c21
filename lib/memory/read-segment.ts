// Reads records into a segment. The work is synchronous and can take seconds, so it yields to the event loop:
// otherwise no deadline could end the call.
import { setImmediate } from "node:timers/promises";
import { callSignal } from "../call.ts";
import type { Item } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { monotonicMs } from "../monotonic.ts";
import { type MayReadMore, segmentCharactersMax } from "./limits.ts";
import type { Part } from "./parts.ts";
import { Segment } from "./segment.ts";
import { SegmentBuilder } from "./segment-builder.ts";

/** The time between two yields. */
const busyMs = 20;

/** The next segment of a part, after a sort key. `next`: where to continue; undefined when all records are read. */
export async function readSegment(
  part: Part,
  mayReadMore: MayReadMore,
  after?: string,
): Promise<{ segment: Segment; next: string | undefined }> {
  const { pk, attributes, entryOf } = part;
  const builder = new SegmentBuilder();
  let next = after;
  let since = monotonicMs();
  do {
    const page = await Table.query<Item>({ pk, attributes, after: next });
    for (const item of page.items) {
      builder.add(entryOf(item));
      if (monotonicMs() - since < busyMs) continue;
      await setImmediate();
      callSignal()?.throwIfAborted();
      since = monotonicMs();
    }
    next = page.next;
  } while (next !== undefined && builder.characters < segmentCharactersMax && mayReadMore());
  return { segment: new Segment(builder), next };
}
