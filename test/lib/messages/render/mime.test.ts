// The bytes of mails are read by a parser that has no code in common with the writer.
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { renderEmail } from "../../../../lib/messages/render/email.ts";
import { mailBytes } from "../../../../lib/messages/render/mime.ts";
import { commentEntry, hostileTexts, newContent, notificationEntry } from "../../../support/message-content.ts";

const unsubscribe = { document: "https://api.example.com/u/d", organization: "https://api.example.com/u/o" };
const envelope = {
  from: { address: "notes@example.com", name: "Example" },
  to: "bob@example.org",
  date: new Date("2026-11-24T02:19:00.000Z"),
};

const rendered = (changes: Parameters<typeof newContent>[0] = {}) =>
  renderEmail(newContent({ unsubscribe, ...changes }), { domain: "mail.example.com" });

const headerNames = [
  "from",
  "to",
  "subject",
  "message-id",
  "in-reply-to",
  "references",
  "auto-submitted",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "date",
  "mime-version",
  "content-type",
];

async function parsed(email: ReturnType<typeof rendered>, changes: Partial<Parameters<typeof mailBytes>[1]> = {}) {
  const bytes = await mailBytes(email, { ...envelope, ...changes });
  return { bytes, mail: await PostalMime.parse(bytes) };
}

it("a parser finds what was rendered", async () => {
  const email = rendered();
  const { mail } = await parsed(email, { replyTo: "team@example.net" });
  expect(mail).toMatchObject({
    from: { name: "Example", address: "notes@example.com" },
    to: [{ name: "", address: "bob@example.org" }],
    replyTo: [{ name: "", address: "team@example.net" }],
    subject: email.subject,
    messageId: email.headers["Message-ID"],
    inReplyTo: email.headers["In-Reply-To"],
    references: email.headers.References,
    date: "2026-11-24T02:19:00.000Z",
    attachments: [],
  });
  expect(mail.text?.trimEnd()).toBe(email.text.trimEnd());
  expect(mail.html?.trimEnd()).toBe(email.html.trimEnd());
  const headerOf = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  expect(headerOf("list-unsubscribe")).toBe("<https://api.example.com/u/d>");
  expect(headerOf("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(headerOf("auto-submitted")).toBe("auto-generated");
});

it.each([
  "Acme, Inc. (QA)",
  'The "Best"; Ltd.',
  "A\\B: <C>",
  "Société, S.A. (QA)",
  "Ben & Co. 👨‍👩‍👧‍👦",
  "می‌خواهم، شرکت",
])("a parser finds the name %s of the sender, and one address", async (name) => {
  const { mail } = await parsed(rendered(), { from: { address: "notes@example.com", name } });
  expect(mail.from).toEqual({ name, address: "notes@example.com" });
});

it("a name of ASCII is quoted", async () => {
  const { bytes } = await parsed(rendered(), { from: { address: "notes@example.com", name: 'Acme, "Inc." (QA)' } });
  expect(bytes.toString()).toContain('From: "Acme, \\"Inc.\\" (QA)" <notes@example.com>\r\n');
});

const longAddress = `${"a".repeat(60)}@${["b", "c", "d"].map((each) => each.repeat(60)).join(".")}.com`;

it.each([longAddress, "notes@example.com"])("a sender is never longer than SES takes it, from %s", async (address) => {
  for (const letters of ["각", "é a!", "👨‍👩‍👧‍👦", "!", "ệ"]) {
    const { bytes } = await parsed(rendered(), { from: { address, name: letters.repeat(100) } });
    const [, sender = ""] = /^From:(.*(?:\r\n .*)*)/m.exec(bytes.toString()) ?? [];
    expect(sender.replaceAll("\r\n", "").trim().length).toBeLessThanOrEqual(320);
    expect(sender).toContain(address);
  }
});

it("no line is too long for SES, also with the longest link that ends e-mails", async () => {
  const url = `https://api.example.com/u/${"a".repeat(4_000)}`;
  const { bytes } = await parsed(rendered({ unsubscribe: { document: url, organization: url } }));
  expect(longestLine(bytes)).toBeLessThanOrEqual(998);
});

it("the same message has the same bytes at each attempt", async () => {
  expect((await parsed(rendered())).bytes).toEqual((await parsed(rendered())).bytes);
});

it("a long link keeps its header", async () => {
  const document = `https://api.example.com/v2/notifications/unsubscribe/${"a1b2_".repeat(160)}`;
  const { mail, bytes } = await parsed(rendered({ unsubscribe: { ...unsubscribe, document } }));
  expect(mail.headers.find(({ key }) => key === "list-unsubscribe")?.value.replace(/\s/g, "")).toBe(`<${document}>`);
  expect(longestLine(bytes)).toBeLessThanOrEqual(998);
});

it("the sender's domain can have capital letters, as an operator writes it", async () => {
  const { mail } = await parsed(rendered({}), { from: { address: "Notes@Example.com", name: "Example" } });
  expect(mail.from?.address).toBe("Notes@example.com");
});

it.each([
  "",
  "bob",
  "bob@example.org, eve@example.org",
  "Bob <bob@example.org>",
  "bob@example.org\r\nBcc: eve@example.org",
  '"a b"@example.org',
  "bob@example.org\r\n",
])("an address such as %j is refused, since it could name others", async (address) => {
  const refused = "A mail needs a valid address.";
  expect(() => mailBytes(rendered(), { ...envelope, to: address })).toThrow(refused);
  expect(() => mailBytes(rendered(), { ...envelope, replyTo: address })).toThrow(refused);
  expect(() => mailBytes(rendered(), { ...envelope, from: { address } })).toThrow(refused);
});

const longestLine = (bytes: Buffer) =>
  Math.max(
    ...bytes
      .toString("latin1")
      .split("\r\n")
      .map(({ length }) => length),
  );

describe.each(hostileTexts.map((text) => [JSON.stringify(text).slice(0, 40), text]))(
  "with %s everywhere",
  (_, text) => {
    const entries = [
      commentEntry({ actorName: text, text, annotationId: text }),
      commentEntry({ event: "comment_annotation.status_change", actorName: text, text, isPersonal: true }),
      notificationEntry({ headline: text, text, actorName: text }),
    ];
    const document = { documentId: text, name: text };
    const email = rendered({
      reader: { userId: text, name: text },
      workspaceName: text,
      threadId: text,
      document,
      entries,
    });

    // Quotes in a subject would encode it as a whole.
    it("a parser finds a subject without quotes as it was rendered", async () => {
      const plain = rendered({ document, entries: [commentEntry({ actorName: text })] });
      expect((await parsed(plain)).mail.subject).toBe(plain.subject);
    });

    it("the mail has the headers of any other, one recipient and two parts", async () => {
      const { mail } = await parsed(email, { from: { address: "notes@example.com", name: text } });
      expect(mail.headers.map(({ key }) => key).sort()).toEqual([...headerNames].sort());
      expect(mail.subject).toBe(email.subject);
      expect(mail.to).toEqual([{ name: "", address: "bob@example.org" }]);
      expect(mail.from?.address).toBe("notes@example.com");
      expect(mail.cc ?? mail.bcc ?? mail.attachments).toEqual([]);
      expect(mail.text?.trimEnd()).toBe(email.text.trimEnd());
      expect(mail.html?.trimEnd()).toBe(email.html.trimEnd());
    });

    it("it is 7-bit text with lines that each mail server takes", async () => {
      const { bytes } = await parsed(email, { from: { address: "notes@example.com", name: text } });
      expect(bytes.every((byte) => byte < 128 && byte !== 0)).toBe(true);
      expect(bytes.toString("latin1").match(/(?<!\r)\n|\r(?!\n)/g)).toBe(null);
      expect(longestLine(bytes)).toBeLessThanOrEqual(998);
    });
  },
);
