// Removes users from the deliveries of webhooks. A delivery itself stays, so that its receiver learns of the event.
import type { Item } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";
import type { Attempt, Logged } from "../store/webhooks/delivery.ts";
import type { Context, Step } from "./context.ts";
import { commitCounted } from "./counted.ts";
import { bodyWithout, isOwnEvent } from "./event-users.ts";

type DeliveryItem = Item &
  Pick<Logged, "event" | "createdAt"> &
  Partial<Pick<Logged, "organizationId" | "body" | "last" | "earlier">>;

/** Rewrites the deliveries that name the users. If a delivery has changed since it was read, the next pass finds it. */
export async function eraseFromDeliveries(context: Context, items: readonly Item[]): Promise<Step[]> {
  const anyId = context.userIds.map(wordOf).join("|");
  const words = new RegExp(anyId);
  const units = items.flatMap((item) =>
    rewrite(context, item as DeliveryItem, words).map((write) => ({ item, writes: [write] })),
  );
  await commitCounted(context, "redacted", units);
  return [];
}

function rewrite(context: Context, { pk, sk, ...item }: DeliveryItem, words: RegExp): Write[] {
  const set = { ...bodyChange(context, item), ...answerChanges(context, item, words) };
  const changed = Object.keys(set) as (keyof typeof set)[];
  if (changed.length === 0) return [];
  if (isOwnEvent(context, item.event, item.createdAt)) {
    context.isIncomplete = true;
    return [];
  }
  const unchanged = Object.fromEntries(changed.map((name) => [name, item[name]]));
  return [{ update: { pk, sk }, set, if: unchanged }];
}

function bodyChange({ users, organizationId }: Context, { body }: Partial<Logged>): Pick<Logged, "body"> {
  const without = body === undefined ? undefined : bodyWithout(body, users, organizationId);
  return without === undefined ? {} : { body: without };
}

/** A receiver's answer that contains the id of a user, as a word, is removed as a whole. */
function answerChanges(
  { organizationId: only }: Context,
  { organizationId, last, earlier }: Partial<Logged>,
  words: RegExp,
): Partial<Pick<Logged, "last" | "earlier">> {
  if (only !== undefined && only !== organizationId) return {};
  const names = ({ answer }: Attempt) => answer !== undefined && words.test(answer);
  const without = (attempt: Attempt) => (names(attempt) ? withoutAnswer(attempt) : attempt);
  return {
    ...(last && names(last) && { last: without(last) }),
    ...(earlier?.some(names) && { earlier: earlier.map(without) }),
  };
}

/** An id is not a part of a longer word: "7" is not in "17", and "en" not in "then". Many scripts do not separate words. */
const wordOf = (id: string) =>
  `${/^[a-z\d]/i.test(id) ? "(?<![A-Za-z\\d])" : ""}${RegExp.escape(id)}${/[a-z\d]$/i.test(id) ? "(?![A-Za-z\\d])" : ""}`;

const withoutAnswer = ({ answer: _, ...attempt }: Attempt): Attempt => attempt;
