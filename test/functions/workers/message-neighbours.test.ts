// The mail of one workspace does not wait for another one whose provider hangs.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { SQSEvent } from "aws-lambda";
import { expect, it, onTestFinished, vi } from "vitest";
import { emailconfigUpdate } from "../../../functions/messages/emailconfig-update.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { message } from "../../../functions/workers/message.ts";
import { deliver } from "../../../infra/local/event-source.ts";
import { Queue } from "../../../infra/local/queue.ts";
import { queueLambda } from "../../../lib/jobs/worker-lambda.ts";
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

it("a provider that hangs for 100 conversations of one workspace delays no mail of another", async () => {
  const { held, isTaken, release } = await sendGrid();
  const [dead, alive] = [await withKey("SG.hangs"), await withKey("SG.works")];
  await withManyConversations(dead);
  await mention(alive);
  for (const as of [dead, alive]) await fannedOut(as);
  later(121);

  const queue = new Queue("message");
  for (const { apiKey: group, ...as } of [dead, alive])
    for (const { id: body } of await jobsOf({ apiKey: group, ...as }, "message")) queue.send({ body, group });
  const running: { group: string | undefined; run: Promise<unknown> }[] = [];
  const invoke = (event: unknown) => {
    const run = queueLambda(message)(event as never, contextOf("message", 60_000) as never);
    running.push({ group: (event as SQSEvent).Records[0]?.attributes.MessageGroupId, run });
    return run;
  };
  const runsOf = ({ apiKey }: Credentials) =>
    Promise.all(running.flatMap(({ group, run }) => (group === apiKey ? [run] : [])));
  const { timeoutSeconds, batchSize, concurrencyMax } = message;
  const fails = (thrown: unknown) => expect.fail(String(thrown));
  const source = deliver({ queue, invoke, timeoutSeconds, batchSize, concurrencyMax, onError: fails });
  onTestFinished(() => source.stop());

  await isTaken;
  await runsOf(alive);
  // Nobody has answered the other workspace yet.
  expect(held.length).toBeGreaterThan(0);
  expect(await messagesOf(alive)).toMatchObject([{ userId: "bob", state: "sent" }]);
  expect(await messagesOf(dead)).toEqual([]);

  release();
  await runsOf(dead);
  const tried = await messagesOf(dead);
  expect(new Set(tried.map(({ state }) => state))).toEqual(new Set(["waiting"]));
  // Each queue of the workspace ends after five failures.
  expect(tried.length).toBeGreaterThanOrEqual(4 * 5);
  expect(tried[0]?.error).toContain("HTTP 500");
});
