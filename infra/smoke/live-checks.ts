// Checks that live messages arrive. Only a deployment shows that AppSync asks the authorizer, and that it runs the
// handler of `aware`.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Link } from "../client/source/live/link.ts";
import type { Opened } from "../client/source/live/session.ts";
import { ofPage } from "../client/source/live/surroundings.ts";
import { type Check, smokeId as organizationId, Skipped } from "./call.ts";
import { type Reply, statusOf, type Target } from "./request.ts";
import { asUser, withUser } from "./user-checks.ts";

export const liveChecks: readonly Check[] = [
  { name: "a page hears of a new comment and of cursors, and opens no channel of others", run: hears },
];

/** A function that starts can publish too late, which fails no call. */
const attempts = 6;
const answerMs = 5_000;

async function hears(target: Target): Promise<void> {
  await withUser(target, async (headers, documentId) => {
    const ask = (name: string, data: object) => asUser(target, headers, name, { organizationId, documentId, ...data });
    const reply = await ask("live-open", {});
    const isOff = reply.body?.error?.status === "FAILED_PRECONDITION";
    if (isOff) throw new Skipped(`${reply.body.error.message} It needs the setting and the switch live.`);
    if (reply.status !== 200) throw new Error(statusOf(reply));
    const opened: Opened = reply.body.result.data;

    const stranger = new Link({ ...opened, ticket: "v1.a.b" }, ofPage);
    const isLetIn = await stranger.ready.then(
      () => true,
      () => false,
    );
    stranger.end("");
    if (isLetIn) throw new Error("AppSync lets in a page with a wrong ticket.");

    const link = new Link(opened, ofPage);
    try {
      await link.ready;
      await refusesOthers(link, opened);
      await hearsComment(link, opened, () =>
        ask("documents-data-add", {
          location: { id: "1" },
          comments: [{ annotationId: randomUUID(), comments: [{ commentId: "c", text: "Smoke test" }] }],
        }),
      );
      await hearsCursor(link, opened);
    } finally {
      link.end("");
    }
  });
}

async function refusesOthers(link: Link, opened: Opened): Promise<void> {
  const own = opened.channels.user.now;
  const foreign = own.replace(/.$/, (last) => (last === "a" ? "b" : "a"));
  const wildcard = `${own.slice(0, own.lastIndexOf("/"))}/*`;
  for (const channel of [foreign, wildcard]) {
    const outcome = await link.subscribe(channel, opened, () => {}).then(() => "accepted", String);
    if (!outcome.includes("refused")) throw new Error(`A channel that the ticket does not open: ${outcome}`);
  }
}

/** Resolves to how to wait for a message on a channel, for some seconds. */
async function listen(link: Link, opened: Opened, channels: readonly string[], isMeant: (message: Heard) => boolean) {
  let hasHeard = false;
  const hear = (text: string) => {
    hasHeard ||= isMeant(JSON.parse(text));
  };
  for (const channel of channels) await link.subscribe(channel, opened, hear);
  return async () => {
    for (const until = Date.now() + answerMs; !hasHeard && Date.now() < until; await sleep(50));
    return hasHeard;
  };
}

interface Heard {
  kind?: string;
  user?: { userId?: string };
}

async function hearsComment(link: Link, opened: Opened, add: () => Promise<Reply>): Promise<void> {
  // The clock of the function decides which of them has the message.
  const channels = Object.values(opened.channels.document ?? {});
  const heard = await listen(link, opened, channels, ({ kind }) => kind === "comments");
  for (let attempt = 0; attempt < attempts; attempt++) {
    const reply = await add();
    if (reply.status !== 200) throw new Error(statusOf(reply));
    if (await heard()) return;
  }
  throw new Error("No message about a new comment arrives. Look at the warnings in the log of the endpoints.");
}

async function hearsCursor(link: Link, opened: Opened): Promise<void> {
  const channel = opened.channels.awareness?.now ?? "";
  const heard = await listen(link, opened, [channel], ({ user }) => user?.userId === organizationId);
  link.publish(channel, opened, JSON.stringify({ user: { userId: "somebody-else" } }));
  if (!(await heard())) throw new Error("A cursor does not arrive with the user of its ticket.");
}
