// The order of a chain: activities and changes of the log's setting, by their times (DECISIONS.md#activity-chain).
import type { ActivityChange } from "../store/setting.ts";
import type { InLine, Waiting } from "./next-records.ts";

interface Changes {
  changes: readonly ActivityChange[];
  /** Everything from before this time was read, ISO 8601. */
  readUpTo: string;
  /** The number of the last change in the chain. Undefined: the chain has not begun. */
  recorded: number | undefined;
}

/** The waiting activities with the changes that are in no record. A chain begins with the setting of its first activity. */
export function inOrder(waiting: readonly Waiting[], { changes, readUpTo, recorded }: Changes): InLine[] {
  const [first] = waiting;
  if (recorded === undefined && !first) return [];
  const ordered: InLine[] = [];
  let next = changes.findIndex(({ number }) => number > (recorded ?? 0));
  if (next === -1) return [...waiting];
  if (recorded === undefined) {
    const inForce = Math.max(
      0,
      changes.findLastIndex(({ at }) => at <= (first?.entry.at ?? "")),
    );
    ordered.push({ ...(changes[inForce] as ActivityChange), isUnlock: undefined });
    next = inForce + 1;
  }
  const addChanges = (until: string, isEdit: boolean) => {
    for (; next < changes.length; next++) {
      const { at, isUnlock } = changes[next] as ActivityChange;
      // No edit was possible between the change before and the unlock. An operator's clock can be wrong.
      const from = isEdit && isUnlock ? (changes[next - 1]?.at ?? "") : at;
      if (from > until) return;
      ordered.push(changes[next] as ActivityChange);
    }
  };
  for (const each of waiting) {
    addChanges(each.entry.at, each.event.type === "activity.update" || each.event.type === "activity.delete");
    ordered.push(each);
  }
  addChanges(readUpTo, false);
  return ordered;
}
