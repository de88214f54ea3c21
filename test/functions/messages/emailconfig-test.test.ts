import { describe, expect, it } from "vitest";
import { emailconfigTest } from "../../../functions/messages/emailconfig-test.ts";
import { emailconfigUpdate } from "../../../functions/messages/emailconfig-update.ts";
import { messagesGet } from "../../../functions/messages/messages-get.ts";
import { suppress } from "../../../lib/store/messages/suppression.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { logs, logText } from "../../support/capture-logs.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { fillAddress } from "../../support/messages.ts";
import { expectRefused } from "../../support/refusal.ts";
import { emailFrom, sendGridForTest, sesForFile } from "../../support/senders.ts";

fakeDates();
const ses = await sesForFile();

let count = 0;
const newAddress = () => `tester-${count++}-${Math.random().toString(36).slice(2)}@example.org`;

async function withMail(more: object = {}): Promise<Credentials> {
  const as = await newWorkspace();
  await must(emailconfigUpdate, { as, data: { useEmailService: true, ...more } });
  return as;
}

const test = (as: Credentials, email = newAddress()) => must(emailconfigTest, { as, data: { email } });
const list = async (as: Credentials) => (await must(messagesGet, { as, data: {} })).messages;

describe("OK", () => {
  it("sends a mail from the deployment's sender, and lists it", async () => {
    const as = await withMail();
    const email = newAddress();
    const { messageId, state } = await test(as, email);
    expect(state).toBe("sent");
    const [mail] = ses.mails.slice(-1);
    expect(mail).toMatchObject({ from: emailFrom, to: [email] });
    expect(await list(as)).toMatchObject([
      {
        messageId,
        channel: "email",
        state: "sent",
        events: ["email.test"],
        attempts: 1,
        organizationId: null,
        documentId: null,
        userId: null,
        error: null,
      },
    ]);
  });

  it("sends through the workspace's own provider, and says why it refuses", async () => {
    const sendGrid = await sendGridForTest();
    const external = (apiKey: string) => ({
      emailServiceConfig: { type: "external", apiKey, fromEmail: "notes@example.com" },
    });
    expect(await test(await withMail(external("SG.right")))).toMatchObject({ state: "sent" });
    expect(sendGrid.mails).toHaveLength(1);
    const as = await withMail(external("wrong-key"));
    const failed = await test(as);
    expect(failed).toMatchObject({ state: "failed", error: expect.stringContaining("SendGrid") });
    expect(JSON.stringify(failed)).not.toContain("wrong-key");
    expect(await list(as)).toMatchObject([{ state: "failed", error: failed.error }]);
    const line = { workspace: as.apiKey, channel: "email", messageId: failed.messageId, attempt: 1, outcome: "failed" };
    expect(logs().findLast(({ message }) => message === "message")).toMatchObject({ ...line, error: failed.error });
    expect(logText()).not.toContain("@example.org");
  });

  it("says that e-mail is off, without asking a provider", async () => {
    const as = await newWorkspace();
    const before = ses.mails.length;
    expect(await test(as)).toMatchObject({ state: "failed", error: expect.stringContaining("turned e-mail off") });
    expect(ses.mails).toHaveLength(before);
    expect(await list(as)).toMatchObject([{ state: "failed", attempts: 0 }]);
  });

  it("does not send to an address that has complained, or has had its messages of the day", async () => {
    const as = await withMail();
    const [complaining, busy] = [newAddress(), newAddress()];
    await suppress({ workspace: as.apiKey }, complaining, new Date().toISOString(), "abuse");
    expect(await test(as, complaining)).toMatchObject({
      state: "failed",
      error: expect.stringContaining("complained"),
    });
    await fillAddress({ workspace: as.apiKey }, busy);
    expect(await test(as, busy)).toMatchObject({
      state: "failed",
      error: "The address has had its messages of today.",
    });
  });
});

describe("RESOURCE_EXHAUSTED", () => {
  it("is returned beyond five tests in an hour, also of concurrent calls, and not for another workspace", async () => {
    const as = await withMail();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => call(emailconfigTest, { as, data: { email: newAddress() } })),
    );
    const { length: sent } = replies.filter(({ status }) => status === 200);
    // A count whose reply is lost is repeated, and takes a second place.
    expect([3, 4, 5]).toContain(sent);
    const refused = await call(emailconfigTest, { as, data: { email: newAddress() } });
    expectRefused(refused, "RESOURCE_EXHAUSTED", "next hour");
    const seconds = Number(refused.headers["retry-after"]);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3_600);
    expect(await list(as)).toHaveLength(sent);
    expect(await test(await withMail())).toMatchObject({ state: "sent" });
    later(seconds);
    expect(await test(as)).toMatchObject({ state: "sent" });
  });
});

it("does not count tests that fail before a provider is asked", async () => {
  const as = await withMail();
  const email = newAddress();
  await suppress({ workspace: as.apiKey }, email, new Date().toISOString(), "abuse");
  for (let each = 0; each < 6; each++) expect(await test(as, email)).toMatchObject({ state: "failed" });
  expect(await test(as)).toMatchObject({ state: "sent" });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["no address", {}],
    ["a name", { email: "Bob" }],
    ["two lines", { email: "a@example.org\r\nBcc: b@example.org" }],
  ])("is returned for %s", async (_, data) => {
    const as = await withMail();
    expectRefused(await call(emailconfigTest, { as, data }), "INVALID_ARGUMENT", "email");
    expect(await list(as)).toEqual([]);
  });
});
