// npm run bench -- --messages: what it costs to turn an event into messages, and to send them, for a growing number of
// recipients.
import { prices } from "../../support/cost/prices.ts";
import { runJobs } from "../large/jobs.ts";
import { measure } from "../large/measure.ts";
import { printTable } from "../table.ts";
import { comment, newScene, notify, turnMailOn } from "./scene.ts";
import { type Sent, sendMails } from "./sending.ts";

/** Of a larger backlog, only so many messages are sent. */
const sampleMax = 10_000;
const eventsInOneMail = 10;
/** The cost of a recipient at each size is compared with that at this size. */
const baseSize = 1_000;

type Cost = Omit<Sent, "mails" | "kmsCalls"> & { kmsCalls?: number };

export interface Row extends Cost {
  what: string;
  recipients: number;
  /** Recipients, messages or events: those that the cost is divided by. */
  count: number;
}

/** DynamoDB's price of a million recipients, mails or events, in dollars. */
const dollarsOf = ({ readUnits, writeUnits, count }: Row) =>
  (readUnits * prices.readUnit.dollars + writeUnits * prices.writeUnit.dollars) / count;

/** `base`: the same for `baseSize` recipients. */
function shown(row: Row, base: Row | undefined) {
  const { what, recipients, count, runs, roundTrips, readUnits, writeUnits, kmsCalls = 0, cpuMs } = row;
  const each = (total: number, digits: number) => (total / count).toFixed(digits);
  return {
    what,
    recipients,
    runs,
    calls: roundTrips,
    RCU: Math.round(readUnits),
    WCU: Math.round(writeUnits),
    KMS: kmsCalls,
    "CPU s": (cpuMs / 1_000).toFixed(2),
    "each: calls": each(roundTrips, 3),
    "RCU ": each(readUnits, 2),
    "WCU ": each(writeUnits, 2),
    "KMS ": each(kmsCalls, 4),
    "$ a million": dollarsOf(row).toFixed(2),
    "×": base ? (dollarsOf(row) / dollarsOf(base)).toFixed(2) : "",
    "a second and core": Math.round((count * 1_000) / cpuMs),
  };
}

async function fannedOut(workspace: string, kind: "fanout" | "notify"): Promise<Cost> {
  const { runs, roundTrips, readUnits, writeUnits, cpuMs } = await measure(() => runJobs(workspace, [kind]));
  return { runs, roundTrips, readUnits, writeUnits, cpuMs };
}

async function ofSize(recipients: number): Promise<Row[]> {
  const as = await newScene(recipients);
  const workspace = as.apiKey;
  const of = { recipients, count: recipients };
  await notify(as);
  const inbox = { what: "notification, inbox only", ...of, ...(await fannedOut(workspace, "notify")) };
  await turnMailOn(as);
  await comment(as, "second");
  const event = { what: "comment", ...of, ...(await fannedOut(workspace, "fanout")) };
  const { mails, ...sent } = await sendMails(workspace, Math.min(recipients, sampleMax));
  const mail = { what: "mail of a comment", recipients, count: mails, ...sent };
  await notify(as);
  const both = { what: "notification, inbox and mail", ...of, ...(await fannedOut(workspace, "notify")) };
  return [event, inbox, both, mail];
}

/** One recipient, and a mail that tells of several events. */
async function conversation(): Promise<Row[]> {
  const as = await newScene(1);
  await turnMailOn(as);
  for (let index = 0; index < eventsInOneMail; index++) await comment(as, `c${index}`);
  const of = { recipients: 1, count: eventsInOneMail };
  const events = { what: `${eventsInOneMail} comments, each`, ...of, ...(await fannedOut(as.apiKey, "fanout")) };
  const { mails, ...sent } = await sendMails(as.apiKey, 1);
  if (mails !== 1) throw new Error(`The ${eventsInOneMail} comments were in ${mails} mails.`);
  return [events, { what: "their mail, each comment", ...of, ...sent }];
}

export async function messageFigures(quick: boolean) {
  // As on AWS: messages have links.
  process.env.PUBLIC_URL = "https://api.example.com";
  const rows: Row[] = [];
  for (const size of quick ? [10, 1_000] : [10, 1_000, 100_000]) rows.push(...(await ofSize(size)));
  const sorted = [...Map.groupBy(rows, ({ what }) => what).values()].flat();
  const all = [...sorted, ...(await conversation())];
  const baseOf = ({ what }: Row) => all.find((row) => row.what === what && row.recipients === baseSize);
  printTable(
    "Messages: one event in all, then for each recipient or mail (target: a recipient costs at most 1.2 × that of 1,000). " +
      "Each mail is accepted at once. Of 100,000 mails, about the first 10,000 are sent. $: DynamoDB",
    all.map((row) => shown(row, baseOf(row))),
  );
  return { rows: all };
}
