import { beforeEach, describe, expect, test, vi } from "vitest";
import { sendBySendGrid } from "../../../../lib/messages/email/sendgrid.ts";
import type { MessageContent } from "../../../../lib/messages/message-content.ts";
import { Secret } from "../../../../lib/secret.ts";
import { answerAs, mention, message, sendGridForTest } from "../../../support/senders.ts";

const apiKey = "SG.key-4711";
const setting = {
  apiKey: new Secret(apiKey),
  fromEmail: "us@example.com",
  fromCompany: "Us",
  commentTemplateId: "",
  tagTemplateId: "",
};
const templates = { commentTemplateId: `d-${"c".repeat(32)}`, tagTemplateId: `d-${"f".repeat(32)}` };
const to = "bob@example.org";

const entries = mention.entries.map((each) => ({ ...each, event: "comment_annotation.add" }));
const assigned = { ...mention, entries } as MessageContent;
const among = { ...message, others: [{ document: message.document, entries: mention.entries, moreCount: 0 }] };

beforeEach(() => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

test("sends text and HTML, the thread's headers, and no Message-ID", async () => {
  const { mails } = await sendGridForTest();
  expect(await sendBySendGrid(setting, message, to)).toEqual({ isSent: true });
  const [mail] = mails;
  expect(mail).toMatchObject({
    from: { email: "us@example.com", name: "Us" },
    personalizations: [{ to: [{ email: to }] }],
    content: [{ type: "text/plain" }, { type: "text/html" }],
    tracking_settings: { click_tracking: { enable: false }, open_tracking: { enable: false } },
  });
  expect(mail.subject).toContain("Plan");
  expect(mail.content[0].value).toContain("You get this message from Us because");
  expect(Object.keys(mail.headers)).toContain("References");
  expect(Object.keys(mail.headers)).not.toContain("Message-ID");
});

describe("templates", () => {
  test.each([
    ["a comment", message, templates.commentTemplateId],
    ["a mention", mention, templates.tagTemplateId],
    ["a mention on the second document of a digest", among, templates.tagTemplateId],
    ["a new thread that is assigned to the reader", assigned, templates.commentTemplateId],
  ])("%s has its own", async (_, message, expected) => {
    const { mails } = await sendGridForTest();
    expect(await sendBySendGrid({ ...setting, ...templates }, message, to)).toEqual({ isSent: true });
    expect(mails[0].template_id).toBe(expected);
    expect(mails[0].personalizations[0].dynamic_template_data).toBeTypeOf("object");
    expect(mails[0].content).toBeUndefined();
  });

  test("a mention without a template is sent as content", async () => {
    const { mails } = await sendGridForTest();
    await sendBySendGrid({ ...setting, ...templates, tagTemplateId: "" }, mention, to);
    expect(mails[0].content).toHaveLength(2);
  });
});

describe("refusals are final, in sentences without keys and addresses", () => {
  test.each([
    ["a wrong key", { apiKey: new Secret("wrong-key") }, "apiKey"],
    ["no sender", { fromEmail: "nobody" }, "fromEmail"],
    ["an unknown template", { commentTemplateId: "d-1" }, "template"],
  ])("%s", async (_, wrong, word) => {
    const { mails } = await sendGridForTest();
    const outcome = await sendBySendGrid({ ...setting, ...wrong }, message, to);
    expect(outcome).toEqual({ refusal: expect.stringContaining(word) });
    expect(JSON.stringify(outcome)).not.toMatch(/bob|us@|key-4711|wrong-key/);
    expect(mails).toEqual([]);
  });

  test("an unverified sender", async () => {
    const body = '{"errors":[{"message":"The from address is not verified.","field":"from"}]}';
    await answerAs("SENDGRID", (response) => void response.writeHead(403).end(body));
    const outcome = await sendBySendGrid(setting, message, to);
    expect(outcome).toEqual({ refusal: expect.stringContaining("fromEmail") });
  });

  test.each([
    [400, `{"errors":[{"message":"bob@example.org ${apiKey}","field":"bob@example.org"}]}`],
    [403, `{"errors":"${apiKey}"}`],
    [413, ""],
    [302, "<html>"],
    [418, `["${apiKey}"]`],
  ])("HTTP %i", async (status, body) => {
    const headers = { location: "http://127.0.0.1:9/" };
    await answerAs("SENDGRID", (response) => void response.writeHead(status, headers).end(body));
    const outcome = await sendBySendGrid(setting, message, to);
    expect(outcome).toEqual({ refusal: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(JSON.stringify(outcome)).not.toMatch(/bob|key-4711/);
  });
});

describe("tried again later", () => {
  const answered = async (status: number, headers: Record<string, string> = {}, body = "") => {
    await answerAs("SENDGRID", (response) => void response.writeHead(status, headers).end(body));
    return sendBySendGrid(setting, message, to);
  };

  test.each([408, 429, 500, 503])("HTTP %i", async (status) => {
    expect(await answered(status)).toEqual({ again: expect.any(String) });
  });

  test("as long as Retry-After says", async () => {
    expect(await answered(429, { "retry-after": "90" })).toMatchObject({ afterMs: 90_000 });
  });

  test("until the rate limit begins anew", async () => {
    const reset = String(Math.ceil(Date.now() / 1_000) + 60);
    const outcome = (await answered(429, { "x-ratelimit-reset": reset })) as { afterMs: number };
    expect(outcome.afterMs).toBeGreaterThan(50_000);
    expect(outcome.afterMs).toBeLessThanOrEqual(61_000);
  });

  test("never later than in 12 hours", async () => {
    expect(await answered(503, { "retry-after": "9999999" })).toMatchObject({ afterMs: 12 * 3_600_000 });
  });

  test("when the credits are used up", async () => {
    const body = '{"errors":[{"message":"Maximum credits exceeded","field":null}]}';
    expect(await answered(401, {}, body)).toEqual({ again: expect.stringContaining("credits") });
  });

  test("when the connection ends", async () => {
    await answerAs("SENDGRID", (response) => void response.socket?.destroy());
    expect(await sendBySendGrid(setting, message, to)).toEqual({ again: expect.any(String) });
  });
});
