// The notifications that a user caused, in the order of their addition. The user need not be a recipient.
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import type { Page } from "../../dynamodb/page.ts";
import * as Table from "../../dynamodb/table.ts";
import { type NotificationPointer, pointerAttributes, sortKeyOf } from "../notifications/inbox.ts";
import { organizationPartition, type UserRef } from "../refs.ts";

type ActedEntry = NotificationPointer & { userId: string };

/** It has the same sort key as an inbox entry, so that the two lists of a user can be merged. */
export const actedEntryEntity = entity<ActedEntry>()({
  name: "acted-entry",
  attributes: pointerAttributes,
  pk: (ref: UserRef) => `${organizationPartition(ref)}#UA#${segment(ref.userId)}`,
  sk: sortKeyOf,
});

/** One page, the oldest first. */
export async function page(user: UserRef, limit: number, from?: string): Promise<Page<ActedEntry & { sk: string }>> {
  const range = { ...actedEntryEntity.range(user), limit };
  return Table.query<ActedEntry & { sk: string }>({ ...range, after: from });
}
