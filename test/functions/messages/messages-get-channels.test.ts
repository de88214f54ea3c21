// Whether the channels of a workspace send, as the first page of its messages says.
import { expect, it, vi } from "vitest";
import { emailconfigUpdate } from "../../../functions/messages/emailconfig-update.ts";
import { messagesGet } from "../../../functions/messages/messages-get.ts";
import { slackconfigUpdate } from "../../../functions/messages/slackconfig-update.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { drained, fannedOut, mailbox, mention, withMail } from "../../support/messages.ts";
import { emailFrom } from "../../support/senders.ts";

fakeDates();

const channelsOf = async (as: Credentials, data: object = {}) => (await must(messagesGet, { as, data })).channels;
const withSender = () => void vi.stubEnv("EMAIL_FROM", emailFrom);

it("says that a channel is off, and what turns it on", async () => {
  const [email, slack] = await channelsOf(await newWorkspace());
  const off = { isSending: false, pausedUntil: null };
  expect(email).toEqual({ channel: "email", ...off, problem: expect.stringContaining("useEmailService") });
  expect(slack).toEqual({ channel: "slack", ...off, problem: expect.stringContaining("isEnabled") });
});

it("says that the deployment has no sender, unless the workspace has a provider of its own", async () => {
  const as = await newWorkspace();
  const update = (data: object) => must(emailconfigUpdate, { as, data });
  const problem = async () => (await channelsOf(as, { channel: "email" }))[0]?.problem;
  await update({ useEmailService: true });
  expect(await problem()).toContain("emailFrom is not set");
  await update({ emailServiceConfig: { type: "external", apiKey: "SG.key" } });
  expect(await problem()).toContain("no fromEmail");
  await update({ emailServiceConfig: { fromEmail: "notes@example.com" } });
  expect(await problem()).toBeNull();
});

it("says that channels send, also for one of them", async () => {
  withSender();
  const as = await withMail();
  await must(slackconfigUpdate, { as, data: { isEnabled: true, botToken: "xoxb-1" } });
  const sending = { isSending: true, problem: null, pausedUntil: null };
  expect(await channelsOf(as)).toEqual(["email", "slack"].map((channel) => ({ channel, ...sending })));
  expect(await channelsOf(as, { channel: "slack" })).toEqual([{ channel: "slack", ...sending }]);
});

it("says until when a provider that does not work is not asked, and why", async () => {
  withSender();
  const as = await withMail();
  await mention(as);
  await fannedOut(as);
  later(121);
  const down = mailbox(() => ({ again: "It is down.", afterMs: 600_000 }));
  await drained(as, down);
  const until = new Date(Date.now() + 600_000).toISOString();
  const [email] = await channelsOf(as);
  expect(email).toEqual({ channel: "email", isSending: false, problem: "It is down.", pausedUntil: until });
  later(601);
  expect((await channelsOf(as))[0]).toEqual({ ...email, isSending: true, pausedUntil: null });
});

it("is on the first page only", async () => {
  const as = await withMail();
  await mention(as);
  await fannedOut(as);
  later(121);
  await drained(as, mailbox());
  await mention(as, "y");
  await fannedOut(as);
  const first = await must(messagesGet, { as, data: { state: "sent", pageSize: 1 } });
  expect(first.channels).toHaveLength(2);
  let { nextPageToken: pageToken } = await must(messagesGet, { as, data: { pageSize: 1 } });
  expect(pageToken).not.toBeNull();
  while (pageToken) {
    const page = await must(messagesGet, { as, data: { pageSize: 1, pageToken } });
    expect(page).not.toHaveProperty("channels");
    pageToken = page.nextPageToken;
  }
});
