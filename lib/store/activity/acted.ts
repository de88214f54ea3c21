// The notifications that a user caused, in the order of their addition. The user need not be a recipient.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import { type NotificationPointer, pointerAttributes, sortKeyOf } from "../notifications/inbox.ts";
import { organizationPartition, type UserRef } from "../refs.ts";

type ActedEntry = NotificationPointer & { userId: string };

/** The sort key is the same as that of an inbox entry, so that the two lists of a user can be merged. */
export const actedEntryEntity = entity<ActedEntry>()({
  name: "acted-entry",
  attributes: pointerAttributes,
  pk: (ref: UserRef) => `${organizationPartition(ref)}#UA#${segment(ref.userId)}`,
  sk: sortKeyOf,
});
