// The content of a message. A digest is about several documents of an organization, one part for each.
import { inParallel } from "../concurrency.ts";
import type { MessageChannel } from "../schema/message-channels.ts";
import {
  type Conversation,
  digestUid,
  type MessageQueueRef,
  type WaitingMessage,
} from "../store/messages/waiting-message.ts";
import type { Again } from "./channel.ts";
import { type Content, contentOf } from "./content.ts";

const documentsInFlight = 8;

export async function contentOfMessage(
  channel: MessageChannel,
  queue: MessageQueueRef,
  conversation: Conversation,
  waiting: readonly WaitingMessage[],
  messageId: string,
): Promise<Content> {
  if (waiting.length === 0) return { omitted: "What it was about was erased." };
  if (conversation.documentUid !== digestUid) return contentOf(channel, queue, conversation, waiting, messageId);
  const byDocument = [...Map.groupBy(waiting, ({ documentUid }) => documentUid)];
  let again: Again | undefined;
  const contents = await inParallel(byDocument, documentsInFlight, async ([documentUid, group]): Promise<Content> => {
    // Each of many documents would wait for the permission provider that has not answered for the first ones.
    if (again) return again;
    const content = await contentOf(channel, queue, { ...conversation, documentUid }, group, messageId);
    if ("again" in content) again = content;
    return content;
  });
  if (again) return again;
  const [first, ...others] = contents.flatMap((content) => ("digest" in content ? [content] : []));
  if (!first) return contents[0] as Content;
  const parts = others.map(({ digest: { document, entries, moreCount } }) => ({ document, entries, moreCount }));
  return { ...first, digest: { ...first.digest, ...(parts.length > 0 && { others: parts }) } };
}
