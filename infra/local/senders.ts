// Stand-ins for SES, SendGrid and Slack on this machine. Each message that they take becomes a file in the folder `mail`.
import { join } from "node:path";
import { outboxIn } from "./outbox-files.ts";
import { startSendGrid } from "./sendgrid.ts";
import { startSes } from "./ses.ts";
import { startSlack } from "./slack.ts";

const domain = "collaboration.example";
const configurationSet = "local";
/** What SES gives to an account that has left its sandbox. */
const mailsPerSecond = 14;

/** One message a second for each conversation, and what Slack calls tier 3. */
const slackRates = { postsPerSecond: 1, lookUpsPerMinute: 50 };

/** The local Slack has a user for each address but `unknown@…`. */
const isMember = (email: string) => !email.startsWith("unknown@");

interface SendersOptions {
  /** The data folder. */
  folder: string;
  /** Gets the path of the file of each message. */
  onMessage?: ((path: string) => void) | undefined;
  /** Gets bounces and complaints. */
  onFeedback?: (event: object) => void;
}

/** Starts the three, and sets the environment unless the user has set it. */
export async function startSenders({
  folder,
  onMessage,
  onFeedback,
}: SendersOptions): Promise<{ close(): Promise<void> }> {
  const { EMAIL_FROM: from = `updates@${domain}` } = process.env;
  const outbox = outboxIn(join(folder, "mail"), onMessage);
  const identities = [from, domain];
  const feedback = onFeedback && { onFeedback };
  const [ses, sendGrid, slack] = await Promise.all([
    startSes({
      identities,
      configurationSets: [configurationSet],
      outbox,
      sendsPerSecond: mailsPerSecond,
      ...feedback,
    }),
    startSendGrid({ outbox }),
    startSlack({ outbox, isMember, ...slackRates }),
  ]);
  process.env.AWS_ENDPOINT_URL_SESV2 = ses.endpoint;
  process.env.EMAIL_FROM = from;
  process.env.EMAIL_CONFIGURATION_SET = configurationSet;
  process.env.SENDGRID_BASE_URL ??= sendGrid.url;
  process.env.SLACK_BASE_URL ??= slack.url;
  return { close: async () => void (await Promise.all([ses.close(), sendGrid.close(), slack.close()])) };
}
