// Removes users from the deliveries of webhooks. A delivery itself stays, so that its receiver learns of the event.
import type { Item } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";
import type { Attempt, Logged } from "../store/webhooks/delivery.ts";
import type { WebhookBody } from "../webhooks/delivery-body.ts";
import type { Context, Step } from "./context.ts";
import { commitCounted } from "./counted.ts";
import { bodyWithout, isOwnEvent } from "./event-users.ts";

type DeliveryItem = Item & Pick<Logged, "event" | "createdAt"> & Partial<Pick<Logged, "body" | "last" | "earlier">>;

/** Rewrites the deliveries that name the users. If a delivery has changed since it was read, the next pass finds it. */
export async function eraseFromDeliveries(context: Context, items: readonly Item[]): Promise<Step[]> {
  const units = items.flatMap((item) =>
    rewrite(context, item as DeliveryItem).map((write) => ({ item, writes: [write] })),
  );
  await commitCounted(context, "redacted", units);
  return [];
}

function rewrite(context: Context, { pk, sk, ...item }: DeliveryItem): Write[] {
  const set = { ...bodyChange(context, item), ...answerChanges(context, item) };
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

/** A receiver's answer that contains the id of a user is removed as a whole. */
function answerChanges(
  context: Context,
  { body, last, earlier }: Partial<Logged>,
): Partial<Pick<Logged, "last" | "earlier">> {
  if (!isAbout(context, body)) return {};
  const names = ({ answer }: Attempt) => answer !== undefined && [...context.users].some((id) => answer.includes(id));
  const without = (attempt: Attempt) => (names(attempt) ? withoutAnswer(attempt) : attempt);
  return {
    ...(last && names(last) && { last: without(last) }),
    ...(earlier?.some(names) && { earlier: earlier.map(without) }),
  };
}

const withoutAnswer = ({ answer: _, ...attempt }: Attempt): Attempt => attempt;

/** Whether a delivery can be about the erased organization. Without a body in the log, it can be about any. */
function isAbout({ organizationId }: Context, body: string | undefined): boolean {
  if (organizationId === undefined || body === undefined) return true;
  return (JSON.parse(body) as WebhookBody).organizationId === organizationId;
}
