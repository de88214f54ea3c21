// Keeps items in a container for a second, because nearly every call reads them and they rarely change. The call that
// changes one waits until no container keeps the former value. So no call that begins after its reply uses the former
// value (DECISIONS.md#kept-settings).
import { callSignal } from "../call.ts";
import { pause } from "../concurrency.ts";
import { config } from "../config.ts";
import { Lru } from "../lru.ts";
import { monotonicMs } from "../monotonic.ts";
import { type Key, keyName } from "./key.ts";
import * as Table from "./table.ts";

/**
 * A time on two clocks, in ms. The date can be set back. The clock of the process cannot, but it may stand still while
 * Lambda has stopped the process.
 */
interface Moment {
  date: number;
  uptime: number;
}

/** `at`: when the read began. The item has all changes that were written before. */
interface Read {
  item: unknown;
  at: Moment;
}

const itemsMax = 4_000;
const reads = new Lru<string, Read>(itemsMax);

/** Added to the wait: a timer can end a little early, and two clocks do not run equally fast. */
const marginMs = 20;

const nameOf = (key: Key) => `${config.tableName()} ${keyName(key)}`;

export const thisMoment = (): Moment => ({ date: Date.now(), uptime: monotonicMs() });

/**
 * As `Table.getMany`, but reads only the items that the container has not read within the last second. `mayKeep`: whether
 * a change of what was read waits. Anything else is read again.
 */
export async function getManyKept<T>(
  wanted: readonly Key[],
  mayKeep: (item: T | undefined) => boolean = () => true,
): Promise<(T | undefined)[]> {
  const now = thisMoment();
  const known = wanted.map((key) => recent(key, now));
  const rest = wanted.filter((_, index) => !known[index]);
  const items = await Table.getMany<T>(rest);
  const kept = items.map(mayKeep);
  keep(
    rest.filter((_, index) => kept[index]),
    items.filter((_, index) => kept[index]),
    now,
  );
  const read = items.values();
  return known.map((each) => (each ? (each.item as T | undefined) : read.next().value));
}

function recent(key: Key, now: Moment): Read | undefined {
  const read = reads.get(nameOf(key));
  if (!read) return undefined;
  const ageMs = Math.max(now.date - read.at.date, now.uptime - read.at.uptime);
  return ageMs < config.settingsKeptMs() ? read : undefined;
}

/** Keeps items that the caller has read. `at`: a moment before the read began. */
export function keep(keys: readonly Key[], items: readonly unknown[], at: Moment): void {
  for (const [index, key] of keys.entries()) reads.set(nameOf(key), { item: items[index], at });
}

/** Waits after the write of a kept item, until no container keeps the former value. */
export async function untilForgotten(): Promise<void> {
  const keptMs = config.settingsKeptMs();
  if (keptMs > 0) await pause(keptMs + marginMs, callSignal());
}
