// A user's notifications: a list of pointers, the oldest first, to contents that all recipients share.
import { dataKeys } from "./data-keys.ts";
import * as Table from "./table.ts";

export interface Entry {
  sk: string;
  notificationId: string;
  uid: string;
  at: string;
}

export interface Content {
  documentId?: string;
  [field: string]: unknown;
}

export async function page(
  workspace: string,
  organizationId: string,
  userId: string,
  range: { after?: string; limit: number },
) {
  return Table.query<Entry>({ pk: dataKeys.userNotifications(workspace, organizationId, userId), ...range });
}

/** In the order of `entries`; undefined: it is gone. */
export async function contentsOf(workspace: string, entries: readonly Entry[]): Promise<(Content | undefined)[]> {
  const wanted = entries.map(({ uid, at, notificationId }) =>
    dataKeys.notification(workspace, uid, at, notificationId),
  );
  return (await Table.getMany<Table.Item>(wanted)).map((item) => {
    if (!item) return undefined;
    const { pk: _pk, sk: _sk, ...content } = item;
    return content;
  });
}
