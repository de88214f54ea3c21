// Reads of the lists of an activity log: by time, document, acting user and event type.
import type { Range } from "../../dynamodb/table.ts";
import type { OrganizationRef } from "../refs.ts";
import { type ActivityList, listedActivityEntity, nameOfList } from "./activity.ts";

export interface ListOrder {
  isNewestFirst: boolean;
  /** Only activities from this time on, ISO 8601. */
  after?: string | undefined;
  /** Only activities before this time, ISO 8601. */
  before?: string | undefined;
}

/** Below and above every time. */
const [first, last] = ["0", ":"] as const;

/** The range of a list. Its sort keys are the same in all lists that an activity is in. */
export function rangeOf(organization: OrganizationRef, list: ActivityList, order: ListOrder): Range {
  const pk = listedActivityEntity.partition({ ...organization, listName: nameOfList(list) });
  // In a sort key, "#" follows the time. So the time alone is below all keys that begin with it.
  return { pk, between: [order.after ?? first, order.before ?? last], isDescending: order.isNewestFirst };
}
