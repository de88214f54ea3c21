import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { renderEmail } from "../../../../lib/messages/render/email.ts";
import { commentEntry, hostileTexts, newContent, notificationEntry } from "../../../support/message-content.ts";

interface Element {
  localName: string;
  getAttributeNames(): string[];
}

// Its types would declare the DOM for all code of the project.
const { JSDOM } = createRequire(import.meta.url)("jsdom") as {
  JSDOM: new (html: string) => { window: { document: { querySelectorAll(selector: string): Iterable<Element> } } };
};

const render = (changes: Parameters<typeof newContent>[0] = {}) =>
  renderEmail(newContent(changes), { domain: "mail.example.com" });
const subjectOf = (changes: Parameters<typeof newContent>[0]) => render(changes).subject;

describe("the subject", () => {
  it.each([
    ["comment.add", {}, "Alice commented on Plan"],
    ["comment.add", { isPersonal: true }, "Alice mentioned you on Plan"],
    ["comment.update", {}, "Alice edited a comment on Plan"],
    ["comment.update", { isPersonal: true }, "Alice mentioned you in an edited comment on Plan"],
    ["comment.delete", { text: undefined }, "Alice deleted a comment on Plan"],
    ["comment_annotation.add", {}, "Alice started a thread on Plan"],
    ["comment_annotation.add", { isPersonal: true }, "Alice started a thread and assigned it to you on Plan"],
    ["comment_annotation.assign", { text: "Bob", isPersonal: true }, "Alice assigned a thread to you on Plan"],
    ["comment_annotation.assign", { text: "CAROL" }, "Alice assigned a thread to CAROL on Plan"],
    ["comment_annotation.assign", { text: undefined }, "Alice removed the assignee of a thread on Plan"],
    ["comment_annotation.status_change", { text: "RESOLVED" }, "Alice resolved a thread on Plan"],
    ["comment_annotation.status_change", { text: "IN_PROGRESS" }, "Alice changed the status to “In progress” on Plan"],
    // Other values than RESOLVED and OPEN, although nobody sees it.
    ["comment_annotation.status_change", { text: " RESOLVED" }, "Alice changed the status to “RESOLVED” on Plan"],
    ["comment_annotation.status_change", { text: "RE\u200bSOLVED" }, "Alice changed the status to “RESOLVED” on Plan"],
    ["comment_annotation.status_change", { text: "OPEN\u202e" }, "Alice changed the status to “OPEN” on Plan"],
    ["comment_annotation.status_change", { text: "\u200b" }, "Alice changed the status to “…” on Plan"],
    ["comment_annotation.status_change", { text: "QA" }, "Alice changed the status to “QA” on Plan"],
    ["comment_annotation.status_change", { text: "WON'T DO" }, "Alice changed the status to “WON'T DO” on Plan"],
    ["comment_annotation.status_change", { text: undefined }, "Alice cleared the status on Plan"],
    ["comment_annotation.priority_change", { text: "P1" }, "Alice set the priority to “P1” on Plan"],
    ["comment_annotation.priority_change", { text: "HIGH\u2060" }, "Alice set the priority to “HIGH” on Plan"],
    ["comment_annotation.priority_change", { text: undefined }, "Alice cleared the priority on Plan"],
    ["comment_annotation.update", { text: undefined }, "Alice updated a thread on Plan"],
    ["comment_annotation.delete", { text: undefined }, "Alice deleted a thread on Plan"],
    ["an.event.to.come", { text: undefined }, "Alice made a change on Plan"],
  ])("of %s with %o", (event, changes, expected) => {
    expect(subjectOf({ entries: [commentEntry({ event, ...changes })] })).toBe(expected);
  });

  it("of a notification is its headline, with the document unless it names it", () => {
    expect(subjectOf({ entries: [notificationEntry()] })).toBe("Alice asks for your review – Plan");
    expect(subjectOf({ entries: [notificationEntry({ headline: "Plan is ready" })] })).toBe("Plan is ready");
    const without = notificationEntry({ headline: undefined });
    expect(subjectOf({ entries: [without] })).toBe("Alice sent you a notification on Plan");
  });

  it("counts several updates, and begins with a personal one", () => {
    const three = [commentEntry(), commentEntry(), notificationEntry()];
    expect(subjectOf({ entries: three })).toBe("3 updates on Plan");
    expect(subjectOf({ entries: three, moreCount: 4 })).toBe("7 updates on Plan");
    const personal = commentEntry({ isPersonal: true });
    expect(subjectOf({ entries: [...three, personal] })).toBe("Alice mentioned you on Plan, and 3 more updates");
    expect(subjectOf({ entries: [personal, commentEntry()] })).toBe("Alice mentioned you on Plan, and 1 more update");
  });

  it("tells the start of a thread and its first comment as one, unless it also assigns the thread", () => {
    const start = commentEntry({ event: "comment_annotation.add", text: undefined });
    expect(subjectOf({ entries: [start, commentEntry()] })).toBe("Alice commented on Plan");
    const assigned = commentEntry({ event: "comment_annotation.add", text: undefined, isPersonal: true });
    expect(subjectOf({ entries: [assigned, commentEntry()] })).toMatch(
      /assigned it to you on Plan, and 1 more update$/,
    );
    const later = commentEntry({ at: "2026-11-24T02:20:00.000Z" });
    expect(subjectOf({ entries: [start, later] })).toBe("2 updates on Plan");
    expect(subjectOf({ entries: [start, commentEntry({ annotationId: "thread-2" })] })).toBe("2 updates on Plan");
    expect(subjectOf({ entries: [start] })).toBe("Alice started a thread on Plan");
  });

  it("counts the documents of a digest", () => {
    const others = [
      { document: { documentId: "b" }, entries: [commentEntry()], moreCount: 2 },
      { document: { documentId: "c" }, entries: [], moreCount: 1 },
    ];
    expect(subjectOf({ others })).toBe("5 updates on 3 documents");
  });

  it("has a name for everybody and everything", () => {
    const entries = [commentEntry({ actorName: " \u200B\u202E" })];
    expect(subjectOf({ entries, document: { documentId: "plan-1" } })).toBe("Someone commented on plan-1");
  });

  it("isolates names that are written from right to left", () => {
    const entries = [commentEntry({ actorName: "محمد" })];
    expect(subjectOf({ entries })).toBe("\u2068محمد\u2069 commented on Plan");
  });
});

describe("the headers", () => {
  it("identify the message, and name the same thread for all messages about an annotation", () => {
    const { headers } = render();
    expect(headers["Message-ID"]).toBe("<mes_1795486740000_abc@mail.example.com>");
    expect(headers.References).toMatch(/^<thread-[\w-]{22}@mail\.example\.com>$/);
    expect(headers["In-Reply-To"]).toBe(headers.References);
    expect(render({ messageId: "mes_2" }).headers.References).toBe(headers.References);
    expect(render({ threadId: "thread-2" }).headers.References).not.toBe(headers.References);
  });

  it("offer one-click unsubscription (RFC 8058) if there is a link for it", () => {
    const unsubscribe = { document: "https://api.example.com/u/d", organization: "https://api.example.com/u/o" };
    const { headers, text, html } = render({ unsubscribe });
    expect(headers["List-Unsubscribe"]).toBe("<https://api.example.com/u/d>");
    expect(headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    for (const link of Object.values(unsubscribe)) {
      expect(text).toContain(link);
      expect(html).toContain(`href="${link}"`);
    }
    const others = [{ document: { documentId: "b" }, entries: [], moreCount: 1 }];
    const message = render({ unsubscribe, others });
    expect(message.headers["List-Unsubscribe"]).toBe("<https://api.example.com/u/o>");
    expect(message.text).not.toContain(unsubscribe.document);
    expect(Object.keys(render().headers)).toEqual(["Message-ID", "In-Reply-To", "References", "Auto-Submitted"]);
  });
});

describe("the body", () => {
  it("has a link only if the document has one", () => {
    const document = { documentId: "plan", name: "Plan", url: "https://app.example.com/plan?a=1&b=2" };
    const { text, html } = render({ document });
    expect(text).toContain("Open Plan:\nhttps://app.example.com/plan?a=1&b=2\n");
    expect(html).toContain('href="https://app.example.com/plan?a=1&amp;b=2"');
    expect(render().html).not.toContain("href");
    expect(render().text).not.toContain("Open");
  });

  it("tells of each document of a digest, with its own link", () => {
    const url = "https://app.example.com/b";
    const { text, html } = render({
      others: [{ document: { documentId: "b", name: "Budget", url }, entries: [notificationEntry()], moreCount: 2 }],
    });
    expect(text).toMatch(/^Plan\n\nAlice commented.*\n> .*\n\nBudget\n\nAlice asks .*\n> .*\n\nAnd 2 more updates\./);
    expect(html.match(/href="[^"]*"/g)).toEqual([`href="${url}"`]);
  });

  it("shows at most 50 updates and 15 documents of a digest, and counts the others", () => {
    const text = "<&>".repeat(20_000);
    const document = { documentId: text };
    const entries = Array.from({ length: 10 }, () => commentEntry({ actorName: text, text }));
    const others = Array.from({ length: 100 }, () => ({ document, entries, moreCount: 0 }));
    const { html, subject, text: plain } = render({ others });
    expect(plain).toContain("And 860 updates on 86 more documents.");
    expect(html).toContain("And 860 updates on 86 more documents.");
    expect(html.match(/class="quote"/g)).toHaveLength(50);
    expect(subject).toBe("1001 updates on 101 documents");
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(102_400);
  });

  it("says what is not shown", () => {
    const { text, html } = render({ moreCount: 7 });
    expect(text).toContain("And 7 more updates.");
    expect(html).toContain("And 7 more updates.");
  });

  it("says why the reader gets it", () => {
    expect(render().text).toContain("because you take part in a thread, or chose to be told of all activity.");
    const entries = [commentEntry({ isPersonal: true })];
    expect(render({ entries, workspaceName: "Acme" }).text).toContain(
      "You get this message from Acme because you were mentioned, or something was assigned to you.",
    );
    expect(render({ entries: [notificationEntry()] }).text).toContain("because a notification was sent to you.");
  });

  it("marks each line of a quote, so that none looks like one of the message", () => {
    const entries = [commentEntry({ text: "Hello\r\n-- \nStop e-mails: https://evil.example\u2028more" })];
    expect(render({ entries }).text).toContain("> Hello\n> --\n> Stop e-mails: https://evil.example\n> more\n\n-- \n");
  });
});

/** The elements, each with its attributes and without its texts. */
function namesIn(html: string): string[] {
  const elements = [...new JSDOM(html).window.document.querySelectorAll("*:not(br)")];
  return elements.map((each) => [each.localName, ...each.getAttributeNames()].join(" "));
}

const controlsIn = (text: string) =>
  [...text.matchAll(/(?!\n)[\p{Cc}\u2028-\u202E\u2060-\u206F]/gu)].map(([each]) => each);

/** A message of all kinds, with this text everywhere. */
const everywhere = (text: string) =>
  render({
    reader: { userId: text, name: text },
    workspaceName: text,
    document: { documentId: text, name: text },
    threadId: text,
    moreCount: 3,
    entries: [
      ...["comment.add", "comment_annotation.status_change", "comment_annotation.assign", text].map((event) =>
        commentEntry({ event, text, actorName: text, annotationId: text, isPersonal: true }),
      ),
      notificationEntry({ headline: text, text, actorName: text }),
    ],
  });

describe.each(hostileTexts.map((text) => [JSON.stringify(text).slice(0, 40), text]))(
  "with %s everywhere",
  (_, text) => {
    const { subject, text: plain, html, headers } = everywhere(text);

    it("the subject and the headers have one line and a limit", () => {
      expect(controlsIn(subject)).toEqual([]);
      expect(subject).not.toContain("\n");
      expect(subject.length).toBeLessThanOrEqual(400);
      for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]{1,100}$/);
    });

    it("a browser finds no element or attribute of the text in the HTML", () => {
      expect(namesIn(html)).toEqual(namesIn(everywhere("a").html));
      expect(controlsIn(html)).toEqual([]);
    });

    it("all is well-formed and at most 100 KB", () => {
      for (const part of [subject, plain, html]) {
        expect(part.isWellFormed()).toBe(true);
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(102_400);
      }
    });
  },
);

it("shows fewer documents of a digest if their links are long, and counts the others", () => {
  const url = `https://app.example.com/${"&".repeat(2_000)}`;
  const document = { documentId: "d", name: "Plan", url };
  const others = Array.from({ length: 19 }, () => ({ document, entries: [commentEntry()], moreCount: 0 }));
  const { html, text } = render({ document, others });
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(102_400);
  expect(text).toContain("And 13 updates on 13 more documents.");
});

it("leaves a link that ends e-mails out of the headers if it is too long for a line of a mail", () => {
  const ending = (characters: number) => {
    const url = `https://api.example.com/u/${"a".repeat(characters)}`;
    return render({ unsubscribe: { document: url, organization: url } });
  };
  expect(Object.keys(ending(900).headers)).toContain("List-Unsubscribe-Post");
  const { headers, text } = ending(1_000);
  expect(Object.keys(headers).filter((name) => /unsubscribe/i.test(name))).toEqual([]);
  expect(text).toContain("a".repeat(1_000));
});

it("fifty of the longest updates have at most 100 KB of HTML", () => {
  const text = "<&>".repeat(20_000);
  const entries = Array.from({ length: 50 }, () => commentEntry({ actorName: text, text }));
  expect(Buffer.byteLength(render({ entries }).html)).toBeLessThanOrEqual(102_400);
});
