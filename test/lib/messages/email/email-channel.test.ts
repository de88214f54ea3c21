import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { emailconfigUpdate } from "../../../../functions/messages/emailconfig-update.ts";
import type { LocalSes } from "../../../../infra/local/ses.ts";
import { headersOf } from "../../../../infra/local/ses-checks.ts";
import type { Sender } from "../../../../lib/messages/channel.ts";
import { emailChannel } from "../../../../lib/messages/email/email-channel.ts";
import { suppress } from "../../../../lib/store/messages/suppression.ts";
import { must, newWorkspace } from "../../../support/call.ts";
import { emailFrom, message, sendGridForTest, sesForFile } from "../../../support/senders.ts";

let ses: LocalSes;

beforeAll(async () => {
  ses = await sesForFile();
});
afterAll(() => ses.close());

beforeEach(() => {
  ses.mails.length = 0;
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

async function newSender(emailServiceConfig: object = {}) {
  const as = await newWorkspace();
  await must(emailconfigUpdate, { as, data: { useEmailService: true, emailServiceConfig } });
  const workspace = as.apiKey;
  return { workspace, sender: (await emailChannel.senderOf({ workspace })) as Sender };
}

const bob = { organizationId: "o", userId: "bob", email: "bob@example.org" };

describe("without a provider of its own, a workspace sends through the deployment", () => {
  test("from emailFrom, with its company as the name and its address for replies", async () => {
    const { sender, workspace } = await newSender({
      fromEmail: "us@other.example",
      fromCompany: 'Us" <ceo@bank.example>',
    });
    expect(await sender.send(message, bob.email)).toEqual({ isSent: true });
    const [mail] = ses.mails;
    const headers = Object.fromEntries(mail?.headers.map(({ name, value }) => [name, value]) ?? []);
    expect(headers.from).toBe('"Us\\" ceo bank.example" <updates@example.com>');
    expect(headers["reply-to"]).toBe("us@other.example");
    expect(headers.to).toBe(bob.email);
    expect(mail).toMatchObject({ from: emailFrom, to: [bob.email] });
    expect(mail?.raw.toString()).toContain("You get this message from Us");
    expect(mail?.tags).toEqual({
      workspace: [workspace],
      message: [message.messageId],
      "ses:configuration-set": ["set"],
    });
  });

  test.each(["각", "é", "👨‍👩‍👧‍👦", "ế!", "abc각"])(
    "with a long name of %s, as much as SES takes of it",
    async (letters) => {
      const name = letters.repeat(100);
      for (const fromCompany of [name, name.normalize("NFD")]) {
        const { sender } = await newSender({ fromCompany });
        expect(await sender.send(message, bob.email)).toEqual({ isSent: true });
      }
      const [sender, fromDecomposed] = ses.mails.map(
        ({ headers }) => headers.find(({ name }) => name === "from")?.value,
      );
      expect(sender?.startsWith(letters.repeat(2))).toBe(true);
      expect(fromDecomposed).toBe(sender);
    },
  );

  test("nothing is sent while emailFrom is not set, and the reason is a sentence", async () => {
    const before = process.env.EMAIL_FROM;
    delete process.env.EMAIL_FROM;
    try {
      const { sender } = await newSender();
      expect(sender).toEqual({ problem: expect.stringContaining("emailFrom") });
    } finally {
      process.env.EMAIL_FROM = before;
    }
  });
});

test("a workspace with a key sends through SendGrid, from its own address", async () => {
  const { mails } = await sendGridForTest();
  const { sender } = await newSender({ type: "external", apiKey: "SG.key", fromEmail: "us@other.example" });
  expect(await sender.send(message, bob.email)).toEqual({ isSent: true });
  expect(mails[0].from.email).toBe("us@other.example");
  expect(ses.mails).toEqual([]);
});

test("a workspace with a key and without an address sends nothing", async () => {
  const { sender } = await newSender({ apiKey: "SG.key" });
  expect(sender).toEqual({ problem: expect.stringContaining("fromEmail") });
});

test("a workspace that has turned e-mail off sends nothing", async () => {
  const { apiKey: workspace } = await newWorkspace();
  expect(await emailChannel.senderOf({ workspace })).toEqual({ problem: expect.stringContaining("off") });
});

describe("no mail goes to an address", () => {
  test("that is none", async () => {
    const { sender, workspace } = await newSender();
    const user = { ...bob, workspace, email: "bob@example.org\r\nBcc: eve@example.org" };
    expect(await sender.addressOf(user)).toEqual({ problem: expect.any(String) });
  });

  test("whose user has complained, or that mail did not reach, whatever the provider", async () => {
    const [own, other] = [await newSender(), await newSender({ apiKey: "SG.key", fromEmail: "us@other.example" })];
    const at = new Date().toISOString();
    const complained = `complained-${own.workspace}@example.org`;
    await suppress({ workspace: own.workspace }, complained, at, undefined);
    await suppress({ workspace: other.workspace }, complained, at, undefined);
    const bounced = `bounced-${own.workspace}@example.org`;
    await suppress(undefined, bounced, at, undefined);
    for (const { sender, workspace } of [own, other]) {
      for (const email of [complained, bounced])
        expect(await sender.addressOf({ ...bob, workspace, email })).toEqual({ problem: expect.any(String) });
      expect(await sender.addressOf({ ...bob, workspace })).toEqual({ address: bob.email });
    }
  });
});

test("the headers of the stand-in are read as a reader sees them", () => {
  const raw = Buffer.from("Subject: =?UTF-8?Q?=C3=84_b?=\r\n =?UTF-8?B?YyBk?=\r\nX: y\r\n\r\nText");
  expect(headersOf(raw)).toEqual([
    { name: "subject", value: "Ä bc d" },
    { name: "x", value: "y" },
  ]);
});
