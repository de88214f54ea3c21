// Removes users from the activity log: the texts that name them, with their salts. The records stay as they are, so the
// chain still verifies.
import type { Item } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";
import type { ContentPart, Texts } from "../store/activity/activity-chain.ts";
import { recordErasure } from "./append-to-log.ts";
import type { Context, Step } from "./context.ts";
import { commitCounted } from "./counted.ts";
import { eventWithout } from "./event-users.ts";

/** Attributes that hold texts: the recorded texts, and the texts that replace them for readers. */
const textAttributes = ["texts", "present"] as const;
type ActivityItem = Item & { record: string; edits?: number } & { [Name in (typeof textAttributes)[number]]?: string };

export async function eraseFromActivities(context: Context, items: readonly Item[]): Promise<Step[]> {
  const units = items.flatMap((item) =>
    withoutTexts(item as ActivityItem, context.users).map((write) => ({ item, writes: [write] })),
  );
  const [first] = units;
  if (!first) return [];
  await recordErasure(context, JSON.parse(String(first.item.record)).organizationId);
  await commitCounted(context, "redacted", units);
  return [];
}

/**
 * The condition fails when a text has changed since it was read. The write raises `edits`, so that a call that has read
 * the texts decides again.
 */
function withoutTexts({ pk, sk, edits, ...item }: ActivityItem, users: ReadonlySet<string>): Write[] {
  const stored = textAttributes.map((name) => JSON.parse(item[name] ?? "{}") as Texts);
  const isOwn = stored.some(({ actionUser }) => actionUser !== undefined && names(actionUser.text, users));
  const changes = textAttributes.flatMap((name, index) => {
    const before = stored[index] as Texts;
    const after = isOwn ? {} : remaining(before, stored, users);
    const isUnchanged = Object.keys(after).length === Object.keys(before).length;
    return isUnchanged ? [] : [[name, JSON.stringify(after)] as const];
  });
  if (changes.length === 0) return [];
  const unchanged = Object.fromEntries(changes.map(([name]) => [name, item[name]]));
  const set = { ...Object.fromEntries(changes), edits: (edits ?? 0) + 1 };
  return [{ update: { pk, sk }, set, if: { ...unchanged, edits } }];
}

/** A display message says the same as the other texts, in words. So it is removed with any of them. */
function remaining(texts: Texts, all: readonly Texts[], users: ReadonlySet<string>): Texts {
  const isNamed = all.some((each) => Object.entries(each).some(([part, { text }]) => isNaming(part, text, users)));
  if (!isNamed) return texts;
  const kept = Object.entries(texts).filter(
    ([part, { text }]) => part !== "displayMessage" && !isNaming(part, text, users),
  );
  return Object.fromEntries(kept);
}

const isNaming = (part: string, text: string, users: ReadonlySet<string>) =>
  (part as ContentPart) !== "displayMessage" && names(text, users);

/** Whether fields of a text, which is JSON, name one of the users. */
const names = (text: string, users: ReadonlySet<string>) =>
  eventWithout({ organizationId: "", data: JSON.parse(text) }, users) !== undefined;
