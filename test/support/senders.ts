// SES, SendGrid and Slack on this machine, for one test. Each checks what the vendor checks.
import type { ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { type LocalSendGrid, startSendGrid } from "../../infra/local/sendgrid.ts";
import { type LocalSes, type SesOptions, startSes } from "../../infra/local/ses.ts";
import { type LocalSlack, type SlackOptions, startSlack } from "../../infra/local/slack.ts";
import type { MessageContent } from "../../lib/messages/message-content.ts";
import { listen } from "./net/listen.ts";

export const emailFrom = "updates@example.com";

/** Sets variables of the environment until the test ends. */
function setEnvironment(values: Record<string, string>): void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, values);
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}

/** SES keeps its endpoint as long as its client, so a test file starts it once. */
export async function sesForFile(options: Partial<SesOptions> = {}): Promise<LocalSes> {
  const ses = await startSes({ identities: ["example.com"], configurationSets: ["set"], ...options });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SESV2: ses.endpoint,
    EMAIL_FROM: emailFrom,
    EMAIL_CONFIGURATION_SET: "set",
  });
  return ses;
}

export async function sendGridForTest(): Promise<LocalSendGrid> {
  const sendGrid = await startSendGrid();
  setEnvironment({ SENDGRID_BASE_URL: sendGrid.url });
  onTestFinished(sendGrid.close);
  return sendGrid;
}

/** Answers every request to the vendor, without its checks. */
export async function answerAs(vendor: "SENDGRID" | "SLACK", respond: (response: ServerResponse) => void) {
  const port = await listen((_, response) => respond(response));
  setEnvironment({ [`${vendor}_BASE_URL`]: `http://127.0.0.1:${port}` });
}

export async function slackForTest(options: SlackOptions = {}): Promise<LocalSlack> {
  const slack = await startSlack(options);
  setEnvironment({ SLACK_BASE_URL: slack.url });
  onTestFinished(slack.close);
  return slack;
}

export const message: MessageContent = {
  messageId: "mes_0000000000001_abc",
  reader: { userId: "bob", name: "Bob" },
  document: { documentId: "d", name: "Plan" },
  entries: [
    {
      kind: "annotation",
      event: "comment.add",
      at: "2026-01-02T03:04:05.000Z",
      actorName: "Ann",
      annotationId: "x",
      text: "Shall we?",
      isPersonal: false,
    },
  ],
  moreCount: 0,
  threadId: "x",
};

/** The message of a mention. */
export const mention: MessageContent = {
  ...message,
  entries: message.entries.map((each) => ({ ...each, isPersonal: true })),
};
