// Made-up messages: what `message preview` shows, and what the golden files of the tests hold.
import type { AnnotationEntry, MessageContent, MessageEntry } from "../../lib/messages/message-content.ts";

const annotation = (changes: Partial<AnnotationEntry>): AnnotationEntry => ({
  kind: "annotation",
  event: "comment.add",
  at: "2026-11-24T09:12:00.000Z",
  actorName: "Alice Meyer",
  annotationId: "thread-1",
  isPersonal: false,
  ...changes,
});

const notification: MessageEntry = {
  kind: "notification",
  at: "2026-11-24T09:40:00.000Z",
  actorName: "Dana Fox",
  headline: "Dana Fox asks you to review Launch plan",
  text: "The numbers of October are in. Please check chapter 2 by Friday.",
};

const base: MessageContent = {
  messageId: "mes_1795511520000_4mX0c1wQm6sXqkzq0cT1bA",
  reader: { userId: "bob", name: "Bob" },
  workspaceName: "Acme Notes",
  document: { documentId: "plan", name: "Launch plan", url: "https://app.example.com/documents/plan" },
  entries: [],
  moreCount: 0,
  threadId: "thread-1",
  unsubscribe: {
    document: "https://api.example.com/v2/notifications/unsubscribe/made-up-token-of-the-document",
    organization: "https://api.example.com/v2/notifications/unsubscribe/made-up-token-of-the-organization",
  },
};

const hostile =
  "Eve\r\nBcc: victim@example.com\r\n\r\n<img src=x onerror=alert(1)> \"'><a href='https://evil.example'>Open</a> " +
  "<!channel> <@U012AB3CD> <https://evil.example|Open> =?utf-8?B?RXZl?= {{{this}}} \u202Egnp.exe\u202C\u0007";

const mention = annotation({ text: "@Bob, can you check the dates?\nI am not sure about December.", isPersonal: true });

export const messageCases: Readonly<Record<string, MessageContent>> = {
  mention: { ...base, entries: [mention] },
  assignment: {
    ...base,
    entries: [annotation({ event: "comment_annotation.assign", text: "Bob", isPersonal: true })],
  },
  several: {
    ...base,
    entries: [
      annotation({ text: "I have moved the launch to 12 January. The press release needs a new date too." }),
      annotation({ at: "2026-11-24T09:13:00.000Z", actorName: "Carol", text: "Good. I will tell the agency." }),
      annotation({ at: "2026-11-24T09:14:00.000Z", event: "comment_annotation.status_change", text: "RESOLVED" }),
      annotation({ at: "2026-11-24T09:14:30.000Z", event: "comment_annotation.priority_change", text: "P2" }),
    ],
    moreCount: 3,
  },
  notification: { ...base, entries: [notification], threadId: "notification-1" },
  digest: {
    ...base,
    entries: [annotation({ text: "Is the launch still in January?" })],
    others: [
      {
        document: { documentId: "budget", name: "Budget" },
        entries: [annotation({ actorName: "Carol", text: "I have added the costs of travel." })],
        moreCount: 12,
      },
      { document: { documentId: "notes" }, entries: [notification], moreCount: 0 },
    ],
  },
  "without-link": {
    ...base,
    workspaceName: undefined,
    document: { documentId: "plan" },
    entries: [annotation({ text: "Is this still true?" })],
    unsubscribe: undefined,
  },
  "right-to-left": {
    ...base,
    document: { ...base.document, name: "خطة الإطلاق 🚀" },
    entries: [
      annotation({
        actorName: "ليلى حداد",
        text: "هل يمكنك مراجعة التواريخ؟ 📅\nthe 2nd one, please 👩‍👩‍👧",
        isPersonal: true,
      }),
      annotation({ actorName: "נועה", event: "comment_annotation.status_change", text: "סגור" }),
    ],
  },
  hostile: {
    ...base,
    reader: { userId: hostile, name: hostile },
    workspaceName: hostile,
    document: { ...base.document, documentId: hostile, name: hostile },
    entries: [
      annotation({ actorName: hostile, text: hostile, isPersonal: true }),
      annotation({ actorName: hostile, text: hostile, event: "comment_annotation.status_change" }),
      { ...notification, actorName: hostile, headline: hostile, text: hostile },
    ],
    threadId: hostile,
  },
};

/** A message about one event of this type. */
export function contentOfEvent(event: string): MessageContent {
  if (event === "notification.add") return messageCases.notification as MessageContent;
  const text = /\.(?:\w+_change|assign)$/.test(event) ? valuesOf[event] : "I have moved the launch to 12 January.";
  return { ...base, entries: [annotation({ event, ...(!event.endsWith("delete") && { text }) })] };
}

const valuesOf: Partial<Record<string, string>> = {
  "comment_annotation.assign": "Carol",
  "comment_annotation.priority_change": "P1",
  "comment_annotation.status_change": "RESOLVED",
};
