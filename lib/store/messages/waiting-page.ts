// Messages that wait for their first attempt, of one queue, by user and document. No item has such a message: it is made
// from what waits in a conversation.
import { type Page, pageOf } from "../../dynamodb/page.ts";
import * as Table from "../../dynamodb/table.ts";
import { messageEntity } from "./message.ts";
import { type OpenMessage, openMessageEntity } from "./open-message.ts";
import {
  type Conversation,
  conversationOf,
  type MessageQueueRef,
  userPrefix,
  type WaitingMessage,
  waitingMessageEntity,
} from "./waiting-message.ts";

export type Untried = [WaitingMessage, ...WaitingMessage[]];

type Stored = WaitingMessage & { sk: string };

/** Events to read for one page, and events of one message. */
const eventsMax = { page: 1_000, message: 100 };

/** Up to `limit` messages, each as its events. `user`: only those to this user. */
export async function pageOfUntried(
  queue: MessageQueueRef,
  user: Pick<Conversation, "userId" | "organizationId"> | undefined,
  limit: number,
  from?: string,
): Promise<Page<Untried>> {
  const { pk } = waitingMessageEntity.range(queue);
  const prefix = user ? userPrefix(user) : "U#";
  const read = await Table.queryFull<Stored>({ pk, beginsWith: prefix, after: from, limit: eventsMax.page });
  const all = grouped(read.items);
  // What follows can belong to the last message.
  const ended = read.next === undefined || all.length === 1 ? all : all.slice(0, -1);
  const shown = ended.slice(0, limit);
  const isEnd = shown.length === all.length && read.next === undefined;
  return pageOf(await untriedOf(queue, shown), isEnd ? undefined : shown.at(-1)?.at(-1)?.sk);
}

function grouped(events: readonly Stored[]): Stored[][] {
  const groups: Stored[][] = [];
  let name = "";
  for (const event of events) {
    const own = JSON.stringify(conversationOf(event));
    const last = groups.at(-1);
    if (last && own === name && last.length < eventsMax.message) last.push(event);
    else groups.push([event]);
    name = own;
  }
  return groups;
}

/** Without the events of messages that are in the list. */
async function untriedOf(queue: MessageQueueRef, groups: readonly Stored[][]): Promise<Untried[]> {
  const { workspace } = queue;
  const openKeys = groups.map(([first]) => openMessageEntity.key({ ...queue, ...conversationOf(first as Stored) }));
  const open = await Table.getMany<OpenMessage>(openKeys);
  const ids = open.flatMap((each) => each?.messageId ?? []);
  const listed = await Table.getMany<object>(ids.map((messageId) => messageEntity.key({ workspace, messageId })));
  const isListed = new Set(ids.filter((_, index) => listed[index]));
  return groups.flatMap((group, index) => {
    const { messageId = "", events = [] } = open[index] ?? {};
    const told = new Set(isListed.has(messageId) ? events.map(({ origin }) => origin) : []);
    const [first, ...rest] = group.filter(({ origin }) => !told.has(origin));
    return first ? [[first, ...rest] satisfies Untried] : [];
  });
}
