import { expect, it } from "vitest";
import { templateDataOf } from "../../../../lib/messages/render/template-data.ts";
import { commentEntry, hostileTexts, newContent } from "../../../support/message-content.ts";

it("has the values of the message, empty where one is not known", () => {
  const [first, second] = [commentEntry({ isPersonal: true }), commentEntry({ actorName: "Carol", text: "Yes." })];
  const plan = { documentName: "Plan", documentUrl: "" };
  const at = "2026-11-24T02:19:00.000Z";
  expect(templateDataOf(newContent({ entries: [first, second] }))).toEqual({
    subject: "Alice mentioned you on Plan, and 1 more update",
    readerName: "Bob",
    workspaceName: "",
    documentId: "plan",
    documentName: "Plan",
    documentUrl: "",
    actorName: "Alice",
    sentence: "Alice mentioned you",
    text: "Can you look at this?",
    at,
    updates: [
      { actorName: "Alice", sentence: "Alice mentioned you", text: "Can you look at this?", at, ...plan },
      { actorName: "Carol", sentence: "Carol commented", text: "Yes.", at, ...plan },
    ],
    updateCount: "2",
    moreCount: "",
    unsubscribeDocumentUrl: "",
    unsubscribeOrganizationUrl: "",
  });
});

it("has the links, and how many updates are left out", () => {
  const unsubscribe = { document: "https://api.example.com/u/d", organization: "https://api.example.com/u/o" };
  const document = { documentId: "plan", url: "https://app.example.com/plan" };
  expect(templateDataOf(newContent({ unsubscribe, document, moreCount: 9 }))).toMatchObject({
    documentName: "plan",
    documentUrl: document.url,
    updateCount: "10",
    moreCount: "9",
    unsubscribeDocumentUrl: unsubscribe.document,
    unsubscribeOrganizationUrl: unsubscribe.organization,
  });
});

it.each(hostileTexts.map((text) => [JSON.stringify(text).slice(0, 40), text]))(
  "has only bounded strings with %s",
  (_, text) => {
    const document = { documentId: text, name: text };
    const data = templateDataOf(newContent({ document, entries: [commentEntry({ actorName: text, text })] }));
    expect(data.subject).not.toContain("=?");
    const { updates, ...rest } = data;
    for (const value of [...Object.values(rest), ...updates.flatMap((each) => Object.values(each))]) {
      expect(value).toBeTypeOf("string");
      expect(value.length).toBeLessThanOrEqual(2_000);
    }
  },
);
