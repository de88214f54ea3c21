// A notification as one reader sees it.
import { shortened } from "../beginning.ts";
import type { Person } from "../schema/person.ts";
import type { Content } from "../store/notifications/notification.ts";

/** Omits the other recipients, and the rules that chose them. */
export function visibleTo(reader: Person, content: Content) {
  const { notifyUsers: _users, notifyAll: _all, verifyUserPermissions: _verify, access: _access, ...rest } = content;
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
