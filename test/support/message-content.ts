// Made-up digests for the tests of rendering.
import type { MessageContent, MessageEntry } from "../../lib/messages/message-content.ts";

export const commentEntry = (changes: Partial<Extract<MessageEntry, { kind: "annotation" }>> = {}): MessageEntry => ({
  kind: "annotation",
  event: "comment.add",
  at: "2026-11-24T02:19:00.000Z",
  actorName: "Alice",
  annotationId: "thread-1",
  text: "Can you look at this?",
  isPersonal: false,
  ...changes,
});

export const notificationEntry = (
  changes: Partial<Extract<MessageEntry, { kind: "notification" }>> = {},
): MessageEntry => ({
  kind: "notification",
  at: "2026-11-24T02:20:00.000Z",
  actorName: "Alice",
  headline: "Alice asks for your review",
  text: "By Friday, please.",
  ...changes,
});

export const newContent = (changes: Partial<MessageContent> = {}): MessageContent => ({
  messageId: "mes_1795486740000_abc",
  reader: { userId: "bob", name: "Bob" },
  document: { documentId: "plan", name: "Plan" },
  entries: [commentEntry()],
  moreCount: 0,
  threadId: "thread-1",
  ...changes,
});

/** What attackers put into any field that they can write. */
export const hostileTexts = [
  "x\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</td></table><a href='https://evil.example'>Open</a>",
  "<!channel> <@U012AB3CD> <https://evil.example|Open Plan>",
  "=?utf-8?B?QmNjOiB2aWN0aW1AZXhhbXBsZS5jb20=?=",
  "=?utf-8?Q?Security=E2=80=AE?=",
  "{{#each secrets}}{{{this}}}{{/each}}",
  "\u202Egnp.exe\u2066\u2069\u200B",
  "nul\0 bell\u0007 escape\u001b[31m line\u2028separator",
  "lone \uD800 surrogate",
  "🎉".repeat(16_384),
  "a".repeat(65_536),
];
