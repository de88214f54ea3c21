// The mail of one workspace does not wait for another one whose provider hangs. SQS does not promise that: its queues
// may deliver all messages of one workspace first. A workspace has few jobs of messages, and each runs once at a time.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { SQSEvent } from "aws-lambda";
import { expect, it, onTestFinished, vi } from "vitest";
import { emailconfigUpdate } from "../../../functions/messages/emailconfig-update.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { message } from "../../../functions/workers/message.ts";
import { deliver } from "../../../infra/local/event-source.ts";
import { Queue } from "../../../infra/local/queue.ts";
import { queueLambda } from "../../../lib/jobs/worker-lambda.ts";
import { queuesOf } from "../../../lib/store/messages/waiting-message.ts";
import { type Credentials, contextOf, must } from "../../support/call.ts";
import { addTo } from "../../support/comments.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import { ann, fannedOut, mention, messagesOf, withMail } from "../../support/messages.ts";
import { listen } from "../../support/net/listen.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

const conversations = 100;
/** An annotation has at most 80 participants. */
const mentionedMax = 50;

/** SendGrid. It holds the requests with the key `SG.hangs` until they are released, and then fails them. */
async function sendGrid() {
  const held: ServerResponse[] = [];
  const isTaken = Promise.withResolvers<void>();
  let isReleased = false;
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    if (request.headers.authorization !== "Bearer SG.hangs") {
      response.writeHead(202).end();
      isTaken.resolve();
    } else if (isReleased) response.writeHead(500).end();
    else held.push(response);
  };
  vi.stubEnv("SENDGRID_BASE_URL", `http://127.0.0.1:${await listen(respond)}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const release = () => {
    isReleased = true;
    for (const response of held) response.writeHead(500).end();
  };
  return { held, isTaken: isTaken.promise, release };
}

async function withKey(apiKey: string): Promise<Credentials> {
  const as = await withMail();
  const emailServiceConfig = { type: "external", apiKey, fromEmail: "us@example.com" };
  await must(emailconfigUpdate, { as, data: { emailServiceConfig } });
  return as;
}

/** Users in all queues of the workspace, each with a conversation. */
async function withManyConversations(as: Credentials): Promise<void> {
  const many = Array.from({ length: conversations }, (_, index) => ({ userId: `u${index}` }));
  const users = many.map(({ userId }) => ({ userId, email: `${userId}-${as.apiKey}@example.com` }));
  await must(usersAdd, { as, data: { organizationId, users } });
  for (let first = 0; first < conversations; first += mentionedMax) {
    const annotationId = `x${first}`;
    await mention(as, annotationId);
    const taggedUsers = many.slice(first, first + mentionedMax);
    const data = { annotationId };
    expect((await addTo(as, [{ commentId: "c", from: ann, text: "All?", taggedUsers }], data)).status).toBe(200);
  }
}

it("a provider that hangs for 100 conversations delays no mail of another workspace, in an unfair queue", async () => {
  const { held, isTaken, release } = await sendGrid();
  const [dead, alive] = [await withKey("SG.hangs"), await withKey("SG.works")];
  await withManyConversations(dead);
  await mention(alive);
  for (const as of [dead, alive]) await fannedOut(as);
  later(121);

  const idsOf = async (as: Credentials) => (await jobsOf(as, "message")).map(({ id }) => id);
  const [deadIds, aliveIds] = [await idsOf(dead), await idsOf(alive)];
  // Without groups, the queue delivers in this order. Each message of the dead one comes twenty times.
  const queue = new Queue("message");
  for (let copy = 0; copy < 20; copy++) for (const body of deadIds) queue.send({ body });
  for (const body of aliveIds) queue.send({ body });
  const running: { id: string | undefined; run: Promise<unknown> }[] = [];
  const invoke = (event: unknown) => {
    const run = queueLambda(message)(event as never, contextOf("message", 60_000) as never);
    running.push({ id: (event as SQSEvent).Records[0]?.body, run });
    return run;
  };
  const runsOf = (ids: string[]) => Promise.all(running.flatMap(({ id = "", run }) => (ids.includes(id) ? [run] : [])));
  const { timeoutSeconds, batchSize } = message;
  // The dead workspace occupies all but one of the runs. The worker has ten times as many as a workspace can occupy.
  const concurrencyMax = deadIds.length + 1;
  expect(message.concurrencyMax).toBeGreaterThan(10 * queuesOf({ workspace: dead.apiKey }).length);
  const fails = (thrown: unknown) => expect.fail(String(thrown));
  const source = deliver({ queue, invoke, timeoutSeconds, batchSize, concurrencyMax, onError: fails });
  onTestFinished(() => source.stop());

  await isTaken;
  await runsOf(aliveIds);
  // Nobody has answered the other workspace yet.
  expect(held.length).toBeGreaterThan(0);
  expect(await messagesOf(alive)).toMatchObject([{ userId: "bob", state: "sent" }]);
  expect(await messagesOf(dead)).toEqual([]);

  release();
  await runsOf(deadIds);
  const tried = await messagesOf(dead);
  expect(new Set(tried.map(({ state }) => state))).toEqual(new Set(["waiting"]));
  // Each queue of the workspace ends after five failures.
  expect(tried.length).toBeGreaterThanOrEqual(4 * 5);
  expect(tried[0]?.error).toContain("HTTP 500");
});
