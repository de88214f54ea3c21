// The content of one message. It is read when the message is sent (DECISIONS.md#content-of-messages). A digest has one
// part for each document.
import { inParallel } from "../concurrency.ts";
import { normalDomain } from "../schema/domain-name.ts";
import type { MessageChannel } from "../schema/message-channels.ts";
import * as User from "../store/access/user.ts";
import type { Document } from "../store/content/document.ts";
import * as DocumentMetadata from "../store/content/document-metadata.ts";
import * as Domain from "../store/domain.ts";
import {
  type Conversation,
  digestUid,
  type MessageQueueRef,
  type WaitingMessage,
} from "../store/messages/waiting-message.ts";
import * as Preference from "../store/notifications/preference.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import { type Again, wishesOf } from "./channel.ts";
import { entriesOf, type FoundEntry } from "./entries.ts";
import type { MessageContent } from "./message-content.ts";
import { turnedOff } from "./problems.ts";
import { readerOf } from "./reader.ts";
import { unsubscribeLinks } from "./unsubscribe.ts";
import { getsMessage } from "./who.ts";

const documentsInFlight = 8;
/** Events that one part shows. Further ones are counted. */
const entriesMax = 50;
/** Events whose content is read together. A thread has up to 256 KB. */
const readMax = 10;
/** Characters of threads that are read for one part: else each of many readers would have all large threads read. */
const charactersMax = 2_000_000;

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
  const [first, ...others] = contents.flatMap((content) => ("message" in content ? [content] : []));
  if (!first) return contents[0] as Content;
  const parts = others.map(({ message: { document, entries, moreCount } }) => ({ document, entries, moreCount }));
  return { ...first, message: { ...first.message, ...(parts.length > 0 && { others: parts }) } };
}

/**
 * `email`: the address in the user's profile. `omitted`: why nothing is sent, and `problem`: why nothing can be sent, in
 * sentences for the message list.
 */
type Content = { message: MessageContent; email: string } | { omitted: string } | { problem: string } | Again;

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
  const level = Preference.resolve(user, preference)[channel];
  const isWanted = ({ waiting: { actorId, notificationId }, isInvolved }: FoundEntry) =>
    getsMessage({ isActor: notificationId === undefined && actorId === user.userId, isInvolved, level });
  const [found, wanted]: [FoundEntry[], FoundEntry[]] = [[], []];
  let [read, characters] = [0, 0];
  const isEnough = () => wanted.length >= entriesMax || (wanted.length > 0 && characters > charactersMax);
  while (read < wished.length && !isEnough()) {
    const part = await entriesOf({ workspace }, reader, wished.slice(read, read + readMax));
    found.push(...part.entries);
    wanted.push(...part.entries.filter(isWanted));
    [read, characters] = [read + readMax, characters + part.characters];
  }
  if (found.length === 0) return { omitted: "What it was about is gone." };
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
  const message: MessageContent = {
    messageId,
    reader: { userId, name },
    document: { documentId, name: documentName, url },
    entries,
    moreCount: wanted.length - entries.length + Math.max(0, wished.length - read),
    threadId: JSON.stringify([documentUid, first.waiting.annotationId ?? first.waiting.notificationId]),
    unsubscribe,
  };
  return { message, email };
}

const untriggered = (waiting: readonly WaitingMessage[]): string => {
  const types = [...new Set(waiting.map(({ event }) => event))];
  return `The workspace has turned off what it was about. Its triggers: ${types.join(", ")}.`;
};

/** The document's link, as its metadata and the allowed domains are now (DECISIONS.md#links-in-messages). */
export async function linkOfDocument(ref: WorkspaceRef, document: Document): Promise<string | undefined> {
  const [text] = (await DocumentMetadata.textsOf(ref, [document])).values();
  if (text === undefined) return undefined;
  const { url } = JSON.parse(text) as { url?: unknown };
  const domains = await Domain.existing(ref, possibleLink(url)?.allowedBy ?? []);
  return linkOf(url, domains);
}

/** A URL that can be a link if the workspace allows one of the domains. */
interface PossibleLink {
  /** Percent-encoded, in ASCII. */
  href: string;
  allowedBy: string[];
}

/**
 * Without user and password. The parser would silently drop line breaks and an empty user, and take a backslash for a
 * slash.
 */
const strictUrl = /^https:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?#][^\s\p{Cc}\\]*)?$/iu;

function possibleLink(url: unknown): PossibleLink | undefined {
  const parsed = typeof url === "string" && strictUrl.test(url) ? URL.parse(url) : null;
  const host = parsed && normalDomain(parsed.hostname);
  if (!host || host.startsWith("*")) return undefined;
  const labels = parsed.hostname.replace(/\.$/, "").split(".");
  const above = labels.slice(1).map((_, index) => labels.slice(index + 1).join("."));
  // The parser does not encode these. They have a meaning where a link is part of a text.
  const href = parsed.href.replace(/[|'()[\]]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  return { href, allowedBy: [host, ...above.map((each) => `*.${each}`)] };
}

/** The URL as a link; undefined: it must not be one. `domains`: the allowed domains, in their normal form. */
export function linkOf(url: unknown, domains: ReadonlySet<string>): string | undefined {
  const link = possibleLink(url);
  return link?.allowedBy.some((domain) => domains.has(domain)) ? link.href : undefined;
}
