// Removes users from the deliveries of webhooks. A delivery itself stays, so that its receiver learns of the event.
import type { Item } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { type Attempt, type Logged, loggedEntity, pendingEntity } from "../store/webhooks/delivery.ts";
import type { Context, Step } from "./context.ts";
import { commitCounted } from "./counted.ts";
import { bodyWithout, tellsWho } from "./event-users.ts";

type DeliveryItem = Item &
  Pick<Logged, "event" | "endpointId" | "id" | "attempts"> &
  Partial<Pick<Logged, "organizationId" | "body" | "last" | "earlier">>;

/** A receiver can answer with an id in any form. So no answer stays to a body that names a user. */
const anyText = /^/;

/** Rewrites the deliveries that name the users. If a delivery has changed since it was read, the next pass finds it. */
export async function eraseFromDeliveries(context: Context, items: readonly Item[]): Promise<Step[]> {
  const { workspace, userIds, users, organizationId } = context;
  const anyId = userIds.map(wordOf).join("|");
  const words = new RegExp(anyId);
  const deliveries = items as readonly DeliveryItem[];
  const bodies = deliveries.map(({ body }) => body && bodyWithout(body, users, organizationId));
  const naming = deliveries.filter((_, index) => bodies[index] !== undefined);
  // While a delivery is pending, the log has its answers.
  const tried = naming.filter(({ entity, attempts }) => entity === pendingEntity.name && attempts > 0);
  const keys = tried.map((each) => loggedEntity.key({ workspace, ...each }));
  const logged = await Table.getMany<DeliveryItem>(keys);
  const units = deliveries.map((item, index) => {
    const [body, log] = [bodies[index], logged[tried.indexOf(item)]];
    const answers = answerChanges(context, item, body === undefined ? words : anyText);
    const set = { ...(body !== undefined && !tellsWho(item.event) && { body }), ...answers };
    return {
      item,
      writes: [...writing(item, set), ...(log ? writing(log, answerChanges(context, log, anyText)) : [])],
    };
  });
  await commitCounted(
    context,
    "redacted",
    units.filter(({ writes }) => writes.length > 0),
  );
  return [];
}

type Changes = Partial<Pick<Logged, "body" | "last" | "earlier">>;

function writing({ pk, sk, ...item }: DeliveryItem, set: Changes): Write[] {
  const changed = Object.keys(set) as (keyof Changes)[];
  if (changed.length === 0) return [];
  const unchanged = Object.fromEntries(changed.map((name) => [name, item[name]]));
  return [{ update: { pk, sk }, set, if: unchanged }];
}

/** An answer that matches is removed as a whole. */
function answerChanges(
  { organizationId: only }: Context,
  { organizationId, last, earlier }: DeliveryItem,
  pattern: RegExp,
): Changes {
  if (only !== undefined && only !== organizationId) return {};
  const names = ({ answer }: Attempt) => answer !== undefined && pattern.test(answer);
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
