// Removes users from the deliveries of webhooks. A delivery itself stays, so that its receiver learns of the event.
import type { Item } from "../dynamodb/key.ts";
import type { Write } from "../dynamodb/write.ts";
import type { Logged } from "../store/delivery.ts";
import type { Context, Step } from "./context.ts";
import { commitCounted } from "./counted.ts";
import { bodyWithout } from "./event-users.ts";

type DeliveryItem = Item & Partial<Pick<Logged, "body" | "last">>;

/** Rewrites the bodies that name the users. A delivery that has changed since it was read is found by the next pass. */
export async function eraseFromDeliveries(context: Context, items: readonly Item[]): Promise<Step[]> {
  const units = items.flatMap((item) => rewrite(context, item).map((write) => ({ item, writes: [write] })));
  await commitCounted(context, "redacted", units);
  return [];
}

/** A receiver's answer that contains the id of a user is removed as a whole. */
function rewrite({ users, organizationId }: Context, { pk, sk, body, last }: DeliveryItem): Write[] {
  const without = body === undefined ? undefined : bodyWithout(body, users, organizationId);
  const { answer, ...attempt } = last ?? {};
  const names = answer !== undefined && organizationId === undefined && [...users].some((id) => answer.includes(id));
  const set = { ...(without !== undefined && { body: without }), ...(names && { last: attempt }) };
  if (Object.keys(set).length === 0) return [];
  const unchanged = { ...(without !== undefined && { body }), ...(names && { last }) };
  return [{ update: { pk, sk }, set, if: unchanged }];
}
