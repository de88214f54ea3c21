// A month of a workspace with 1,000 users, and a million such workspaces in several deployments.
import { priced } from "./prices.ts";
import { durationMs, ofCalls, ofJobs, type Usage } from "./usage.ts";

export const users = 1_000;
export const workingDays = 22;
/** Table, backup and all. */
export const storedGb = 2;
/** E-mails that a user gets on a working day. */
const mailsOfDay = 3;

/** What one user does on a working day. `key`: with an Idempotency-Key. */
export const day: { name: string; count: number; key?: true; why: string }[] = [
  { name: "token-generate", count: 2, why: "two sessions" },
  { name: "permissions-get", count: 30, why: "one for each opened document, and some more" },
  { name: "users-get", count: 3, why: "lists of people" },
  { name: "folders-get", count: 5, why: "navigation" },
  { name: "documents-get", count: 20, why: "navigation" },
  { name: "documents-add", count: 1, key: true, why: "a new document" },
  { name: "documents-data-add", count: 10, key: true, why: "comments and reactions" },
  { name: "presence-add", count: 60, why: "once a minute in one hour" },
  { name: "presence-get", count: 60, why: "once a minute in one hour" },
  { name: "crdt-get", count: 5, why: "opened editors" },
  { name: "crdt-update", count: 300, why: "typing, sent once a second in five minutes" },
  { name: "notifications-add", count: 5, key: true, why: "mentions" },
  { name: "notifications-get", count: 10, why: "the inbox" },
  { name: "notifications-read", count: 3, why: "the inbox" },
  { name: "memory-search", count: 1, why: "a search" },
  { name: "ask-ai", count: 1, why: "a question, without the vendor's own price" },
];

/** The jobs that this causes, with webhooks to one endpoint. */
export const dayOfJobs: { name: string; count: number; why: string }[] = [
  { name: "fanout", count: 11, why: "one event for each document, comment and reaction" },
  { name: "drain", count: 11, why: "one delivery for each event, none together with another" },
  { name: "notify", count: 5, why: "one for each mention" },
  { name: "message", count: mailsOfDay, why: "mentions, and threads in which the user takes part" },
  { name: "merge", count: 1.2, why: "one for each 258 changes of a small text" },
  { name: "purge", count: 0.1, why: "a deleted document in ten days" },
];

export interface Named {
  calls: Map<string, { plain: Usage; withKey?: Usage }>;
  jobs: Map<string, Usage>;
}

/** The usage of each row, and how often a user causes it on a working day. */
function rows({ calls, jobs }: Named) {
  const ofDay = day.map(({ name, count, key }) => {
    const found = calls.get(name);
    const usage = key ? found?.withKey : found?.plain;
    if (!usage) throw new Error(`No costs were measured for ${name}.`);
    return { usage, count, dollars: ofCalls(usage), isCall: true };
  });
  const caused = dayOfJobs.map(({ name, count }) => {
    const usage = jobs.get(name);
    if (!usage) throw new Error(`No costs were measured for ${name}.`);
    return { usage, count, dollars: ofJobs(usage), isCall: false };
  });
  return [...ofDay, ...caused];
}

export function monthOf(named: Named) {
  const all = rows(named).map(({ count, dollars, usage, isCall }) => {
    const inMonth = count * users * workingDays;
    return { name: usage.name, isCall, inMonth, dollars: (inMonth * dollars) / 1e6 };
  });
  const storage = priced("storedGb", storedGb);
  const mailsInMonth = mailsOfDay * users * workingDays;
  const mail = priced("mail", mailsInMonth);
  const total = all.reduce((sum, { dollars }) => sum + dollars, 0) + storage + mail;
  return { rows: all, storage, mail, mailsInMonth, total };
}

/** What 100,000 calls a second of this mix need, with the jobs that they cause, beside the quota of one account. */
export function needsOf(named: Named, callsPerSecond: number) {
  const all = rows(named);
  const callsOfDay = all.reduce((sum, { count, isCall }) => sum + (isCall ? count : 0), 0);
  const perSecond = (of: (usage: Usage, isCall: boolean) => number) =>
    all.reduce((sum, { usage, count, isCall }) => sum + of(usage, isCall) * count, 0) * (callsPerSecond / callsOfDay);
  return [
    { what: "API Gateway, requests a second", need: callsPerSecond, quota: 10_000 },
    { what: "DynamoDB, read units a second", need: perSecond(({ readUnits }) => readUnits), quota: 40_000 },
    { what: "DynamoDB, write units a second", need: perSecond(({ writeUnits }) => writeUnits), quota: 40_000 },
    { what: "Lambda, executions at once", need: perSecond((usage) => durationMs(usage) / 1_000), quota: 10_000 },
    { what: "KMS, requests a second", need: perSecond(({ kmsCalls }) => kmsCalls), quota: 50_000 },
  ];
}
