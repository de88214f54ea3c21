// The content of one message. It is read when the message is sent (DECISIONS.md#content-of-messages). A digest has one
// part for each document.
import { inParallel } from "../concurrency.ts";
import type { MessageChannel } from "../schema/message-channels.ts";
import * as User from "../store/access/user.ts";
import {
  type Conversation,
  digestUid,
  type MessageQueueRef,
  type WaitingMessage,
} from "../store/messages/waiting-message.ts";
import * as Preference from "../store/notifications/preference.ts";
import type { Again } from "./channel.ts";
import type { Digest } from "./digest.ts";
import { linkOfDocument } from "./document-link.ts";
import { entriesOf } from "./entries.ts";
import { turnedOff } from "./problems.ts";
import { readerOf } from "./reader.ts";
import { unsubscribeLinks } from "./unsubscribe.ts";
import { getsMessage } from "./who.ts";
import { wishesOf } from "./wishes.ts";

const documentsInFlight = 8;
/** Events that one part shows. Further ones are counted. */
const entriesMax = 50;

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

/**
 * `email`: the address in the user's profile. `omitted`: why nothing is sent, and `problem`: why nothing can be sent, in
 * sentences for the message list.
 */
type Content = { digest: Digest; email: string } | { omitted: string } | { problem: string } | Again;

async function contentOf(
  channel: MessageChannel,
  { workspace }: MessageQueueRef,
  conversation: Conversation,
  waiting: readonly WaitingMessage[],
  messageId: string,
): Promise<Content> {
  const { types } = (await wishesOf({ workspace }))[channel];
  if (types.size === 0) return { problem: turnedOff[channel] };
  const wished = waiting.filter(({ event }) => types.has(event));
  if (wished.length === 0) return { omitted: untriggered(waiting) };
  const reader = await readerOf({ workspace }, conversation);
  if (!("user" in reader)) return reader;
  const { user, preference, document, email } = reader;
  const found = await entriesOf({ workspace }, reader, wished);
  if (found.length === 0) return { omitted: "What it was about is gone." };
  const { level, isExplicit } = Preference.levelOf(user, preference, channel);
  const wanted = found.filter(({ waiting: { actorId, notificationId }, isInvolved }) =>
    getsMessage({ isActor: notificationId === undefined && actorId === user.userId, isInvolved, level, isExplicit }),
  );
  if (wanted.length === 0) return { omitted: "The user does not want it." };
  const entries = wanted.slice(0, entriesMax).map(({ entry }) => entry);
  const { userId, name } = user;
  const { documentId, documentName, documentUid } = document;
  const subscription = { ...conversation, generation: User.generationOf(user) };
  const [url, unsubscribe] = await Promise.all([
    linkOfDocument({ workspace }, document),
    channel === "email" ? unsubscribeLinks({ workspace }, subscription) : undefined,
  ]);
  const [first] = wanted as [(typeof wanted)[0]];
  const digest: Digest = {
    messageId,
    reader: { userId, name },
    document: { documentId, name: documentName, url },
    entries,
    moreCount: wanted.length - entries.length,
    threadId: JSON.stringify([documentUid, first.waiting.annotationId ?? first.waiting.notificationId]),
    unsubscribe,
  };
  return { digest, email };
}

const untriggered = (waiting: readonly WaitingMessage[]): string => {
  const types = [...new Set(waiting.map(({ event }) => event))];
  return `The workspace has turned off what it was about. Its triggers: ${types.join(", ")}.`;
};
