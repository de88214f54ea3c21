import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { LocalSes } from "../../../../infra/local/ses.ts";
import { inCall, newCall } from "../../../../lib/call.ts";
import { type Mail, sendBySes } from "../../../../lib/messages/email/ses.ts";
import { emailFrom, sesForFile } from "../../../support/senders.ts";

let ses: LocalSes;
const logged: string[] = [];

beforeAll(async () => {
  ses = await sesForFile({ sendsPerSecond: 2 });
});
afterAll(() => ses.close());

beforeEach(() => {
  ses.fail(undefined);
  ses.mails.length = 0;
  logged.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((text) => logged.push(String(text)) > 0);
  return () => vi.restoreAllMocks();
});

const raw = Buffer.from(`From: Ä <${emailFrom}>\r\nTo: bob@example.org\r\nSubject: S\r\n\r\nText`);
const mail: Mail = {
  from: emailFrom,
  to: "bob@example.org",
  raw,
  tags: { workspace: "ws_a-B" },
  configurationSet: "set",
};

test("a message reaches SES as it was composed, with its tags and the configuration set", async () => {
  expect(await sendBySes(mail)).toEqual({ isSent: true });
  const [{ raw: given, tags, to } = {}] = ses.mails;
  expect(given).toEqual(raw);
  expect({ tags, to }).toEqual({
    to: ["bob@example.org"],
    tags: { workspace: ["ws_a-B"], "ses:configuration-set": ["set"] },
  });
});

test("messages above SES's rate are sent a moment later", async () => {
  expect(await Promise.all([1, 2, 3].map(() => sendBySes(mail)))).toEqual(Array(3).fill({ isSent: true }));
});

test("a message above SES's rate is sent no more when it is not wanted a moment later", async () => {
  ses.fail({ type: "TooManyRequestsException", message: "Maximum sending rate exceeded." });
  const unwanted = async () => {
    ses.fail(undefined);
    return false;
  };
  expect(await sendBySes(mail, unwanted)).toEqual({ again: expect.any(String) });
  expect(ses.mails).toEqual([]);
});

describe("SES's errors", () => {
  const secret = "secret@example.org";

  test.each([
    ["TooManyRequestsException", "again"],
    ["LimitExceededException", "again"],
    ["AccountSuspendedException", "again"],
    ["SendingPausedException", "again"],
    ["NotFoundException", "again"],
    ["AccessDeniedException", "again"],
    ["InternalServiceErrorException", "again"],
    ["MessageRejected", "refusal"],
    ["BadRequestException", "refusal"],
    ["MailFromDomainNotVerifiedException", "refusal"],
  ] as const)("%s: %s, in a sentence of our own", async (type, kind) => {
    ses.fail({ type, message: `Daily quota exceeded by ${secret}.` });
    const outcome = await sendBySes(mail);
    expect(outcome).toEqual({ [kind]: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(JSON.stringify(outcome) + logged.join("")).not.toContain(secret);
    expect(logged.join("")).toContain(type);
  });

  test.each([
    [1, "TooManyRequestsException", "Daily message quota exceeded."],
    [1, "AccountSuspendedException", "Suspended."],
    [1, "SendingPausedException", "Paused."],
    [1, "NotFoundException", "No such configuration set."],
    [1, "AccessDeniedException", "Not authorized."],
    [1, "MailFromDomainNotVerifiedException", "Not verified."],
    [1, "MessageRejected", "Email address is not verified."],
    [undefined, "TooManyRequestsException", "Maximum sending rate exceeded."],
    [undefined, "InternalServiceErrorException", "Failed."],
    [undefined, "MessageRejected", "The content has a virus."],
    [undefined, "BadRequestException", "Malformed."],
  ] as const)("are counted if only the operator can end them: %s for %s, %s", async (count, type, message) => {
    ses.fail({ type, message });
    const run = newCall("test");
    expect(await inCall(run, () => sendBySes(mail))).not.toHaveProperty("isSent");
    expect(run.measures.senderRefusals).toBe(count);
  });

  test("an unverified sender is told apart from refused content", async () => {
    expect(await sendBySes({ ...mail, from: "updates@other.example" })).toEqual({
      refusal: expect.stringContaining("not verified"),
    });
  });
});

test("an address that SES does not take is refused, and nothing is sent", async () => {
  expect(await sendBySes({ ...mail, to: "jörg@example.org" })).toEqual({ refusal: expect.any(String) });
  expect(ses.mails).toEqual([]);
});
