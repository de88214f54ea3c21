// What one reader sees: which notifications, and the text of each.
import { shortened } from "../beginning.ts";
import { hasEnded } from "../retention.ts";
import type { Person } from "../schema/person.ts";
import { documentsByUid } from "../store/content/document-by-uid.ts";
import * as Inbox from "../store/notifications/inbox.ts";
import type { Content } from "../store/notifications/notification.ts";
import type { UserLifeRef } from "../store/refs.ts";

/** The headline has its names filled in. The other recipients, and the rules that chose them, are omitted. */
export function visibleTo(reader: Person, content: Content) {
  const {
    notifyUsers: _,
    notifyAll: _all,
    notifiesGroups: _to,
    verifyUserPermissions: _v,
    access: _a,
    ...rest
  } = content;
  const named = content.notifyUsers.find(({ userId }) => userId === reader.userId);
  const displayHeadlineMessage = headlineOf(content, { ...reader, name: named?.name ?? reader.name });
  return { ...rest, ...(displayHeadlineMessage !== undefined && { displayHeadlineMessage }) };
}

/** Most characters of a headline: a template of 64 KB can name a value of 64 KB thousands of times. */
const charactersMax = 65_536;

/**
 * Replaces each variable in curly brackets once, also with spaces around its name. Curly brackets in a value are plain
 * text. An unknown variable is not replaced.
 */
export function render(template: string, values: ReadonlyMap<string, string>): string {
  let text = "";
  let from = 0;
  for (const { 0: variable, 1: name = "", index } of template.matchAll(/\{([^{}]+)\}/g)) {
    text += template.slice(from, index) + (values.get(name) ?? values.get(name.trim()) ?? variable);
    from = index + variable.length;
    if (text.length > charactersMax) break;
  }
  return shortened(text + template.slice(from), charactersMax);
}

/** `recipient`: the value of `{recipientUser}`, unless the notification sets it. */
export function headlineOf(content: Content, recipient: Person): string | undefined {
  const { actionUser, displayHeadlineMessageTemplate: template } = content;
  if (template === undefined) return undefined;
  const given = Object.entries(content.displayHeadlineMessageTemplateData ?? {}).map(
    ([name, value]) => [name, typeof value === "string" ? value : displayNameOf(value as Person)] as const,
  );
  const people = [
    ["actionUser", displayNameOf(actionUser)] as const,
    ["recipientUser", displayNameOf(recipient)] as const,
  ];
  return render(template, new Map([...people, ...given]));
}

const displayNameOf = ({ userId, name }: Person) => name || userId;

/** The user's entries of these notifications, without ended notifications and without deleted documents. */
export async function ownedEntries(
  user: UserLifeRef,
  pointers: readonly (Inbox.NotificationPointer | undefined)[],
): Promise<Inbox.InboxEntry[]> {
  const existing = pointers.filter((pointer) => pointer !== undefined).filter((pointer) => !hasEnded(pointer));
  const [entries, documents] = await Promise.all([
    Inbox.entriesOf(user, existing),
    documentsByUid(
      user,
      existing.map(({ documentUid }) => documentUid),
    ),
  ]);
  return entries.filter((entry) => entry !== undefined).filter(({ documentUid }) => documents.has(documentUid));
}
