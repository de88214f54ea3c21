// Writes of an erasure. The condition of each write is that the item has not changed since it was read. The same
// transaction counts the item.
import type { Item } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";
import { commitEach } from "../jobs/commit.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import * as ErasureCount from "../store/erasure/erasure-count.ts";
import type { Context } from "./context.ts";

/** One item, with the writes that remove or redact it. */
interface Counted {
  item: object;
  writes: Write[];
  events?: DomainEvent[];
}

/** Returns false for each item that has changed since it was read. Another pass then decides about it again. */
export async function commitCounted(
  context: Context,
  what: keyof ErasureCount.Found,
  units: readonly Counted[],
): Promise<boolean[]> {
  const written = await commitEach(units, (done) => ({
    writes: [
      counting(
        context,
        what,
        done.map(({ item }) => item),
      ),
    ],
    events: done.flatMap(({ events = [] }) => events),
  }));
  context.isIncomplete ||= written.includes(false);
  return written;
}

/** The write that counts these items, for a transaction that removes or redacts them. */
export const counting = ({ workspace, jobId }: Context, what: keyof ErasureCount.Found, items: readonly object[]) =>
  ErasureCount.counting({ workspace, jobId }, what, items);

/** Deletes the items, unless they have changed since they were read. */
export async function removeCounted(context: Context, items: readonly Item[]): Promise<void> {
  await commitCounted(
    context,
    "removed",
    items.map((item) => ({ item, writes: [deletionOf(item)] })),
  );
}

const deletionOf = ({ pk, sk, ...asRead }: Item): Write => ({ delete: { pk, sk }, if: asRead });
