// One page of a workspace's messages, the newest event first: all of them, or those of one user.
import type { Page } from "../../dynamodb/page.ts";
import { pageOf } from "../../dynamodb/page.ts";
import * as Table from "../../dynamodb/table.ts";
import type { UserRef, WorkspaceRef } from "../refs.ts";
import { isKept, type Message, messageEntity, messageIdPrefix, messageOfUserEntity } from "./message.ts";

/** Entries to read for one page. */
const entriesMax = 1_000;
const readMax = 250;

export interface MessageRange {
  /** The first of its events happened at this time or later, ms since the epoch. */
  after?: number | undefined;
  /** It happened before this time. */
  before?: number | undefined;
  /** Only messages to this user. */
  user?: UserRef | undefined;
}

/** Messages that match. A page can be short, because it has read as many entries as it may. */
export async function pageOfMessages(
  ref: WorkspaceRef,
  { after, before, user }: MessageRange,
  matches: (message: Message) => boolean,
  limit: number,
  from?: string,
): Promise<Page<Message>> {
  const pk = user ? messageOfUserEntity.partition(user) : messageEntity.partition(ref);
  const between = [messageIdPrefix(after ?? 0), before === undefined ? "mes_:" : messageIdPrefix(before)] as const;
  const items: Message[] = [];
  let position = from;
  for (let read = 0; read < entriesMax; ) {
    const page = await Table.query<{ messageId: string }>({
      ...{ pk, between, after: position, isDescending: true },
      limit: Math.min(readMax, entriesMax - read, Math.max(limit + 1 - items.length, 25)),
    });
    read += Math.max(page.items.length, 1);
    const found = user
      ? await Table.getMany<Message>(page.items.map(({ messageId }) => messageEntity.key({ ...ref, messageId })))
      : (page.items as Message[]);
    items.push(...(found.filter((each) => each !== undefined && isKept(each) && matches(each)) as Message[]));
    if (items.length > limit) return pageOf(items.slice(0, limit), items[limit - 1]?.messageId);
    if (page.next === undefined) return pageOf(items, undefined);
    position = page.next;
  }
  return pageOf(items, position);
}
