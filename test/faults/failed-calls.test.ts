// Fails each call to AWS of every endpoint. After a failure reply, nothing more may be written.
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { sourceOf } from "../../infra/deployables.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import type { Handler } from "../../lib/http/lambda.ts";
import { type AwsCommand, atAwsEdge } from "../support/aws/edge.ts";
import { skipBackoff } from "../support/aws/mock-dynamo.ts";
import { type Credentials, contextOf, eventOf } from "../support/call.ts";
import { furnishedWorkspace, prepareFurniture } from "../support/contract/furnished-workspace.ts";
import { dataOf, named, posts } from "../support/contract/requests.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";
import { unhandledRejections } from "../support/unhandled-rejections.ts";

const writes = /^(?:Put|Update|Delete|BatchWrite|TransactWrite|PutObject)Command$/;
const isWrite = ({ constructor: { name } }: AwsCommand) => writes.test(name);

skipBackoff();
beforeAll(async () => {
  newTableInMemory();
  await prepareFurniture();
  newTableInMemory();
});
afterEach(() => void vi.restoreAllMocks());

/** Long enough for all work that is still running to make its next call. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
}

type IsFailing = (call: number, name: string) => boolean;

/** Calls the endpoint while the AWS calls for which `isFailing` is true are throttled. */
async function callFailing(endpoint: Endpoint, as: Credentials, data: unknown, isFailing: IsFailing) {
  const { handler } = (await import(/* @vite-ignore */ `../../${sourceOf(endpoint)}`)) as { handler: Handler };
  let [calls, inFlight, late, hasReplied] = [0, 0, 0, false];
  atAwsEdge(async (command, call) => {
    const isFailed = isFailing(calls++, command.constructor.name);
    if (!isWrite(command)) return isFailed ? throttle() : call();
    if (hasReplied) late += 1;
    inFlight += 1;
    return (isFailed ? throttle() : call()).finally(() => (inFlight -= 1));
  });
  const headers = { "idempotency-key": "key" };
  const reply = await handler(eventOf(endpoint, { as, data, headers }) as never, contextOf(endpoint.name) as never);
  hasReplied = true;
  const atReply = inFlight;
  await idle();
  vi.restoreAllMocks();
  return { status: reply.statusCode, inFlight: atReply, late, calls };
}

async function throttle(): Promise<never> {
  throw Object.assign(new Error("Throttled."), { name: "ThrottlingException" });
}

describe.each(posts)("$name", (endpoint) => {
  it("writes nothing after its reply, whichever AWS call fails", async () => {
    const rejections = unhandledRejections();
    for (let at = 0, isReached = true; isReached; at++) {
      const as = await furnishedWorkspace(endpoint);
      const { calls, ...outcome } = await callFailing(endpoint, as, dataOf(endpoint), (call) => call === at);
      isReached = calls > at;
      // A failure while the reply is stored does not change the reply.
      expect({ at, ...outcome }).toEqual({ at, status: expect.toBeOneOf([200, 503]), inFlight: 0, late: 0 });
    }
    expect(await rejections()).toEqual([]);
  });
});

it("a call of 1,000 users ends with the transaction that is throttled, and can be repeated under its key", async () => {
  const endpoint = named("users-add");
  const as = await furnishedWorkspace(endpoint);
  const users = Array.from({ length: 1_000 }, (_, index) => ({ userId: `user-${index}` }));
  const data = { organizationId: "acme", users };
  const whole = await callFailing(endpoint, await furnishedWorkspace(endpoint), data, () => false);
  expect(whole).toMatchObject({ status: 200 });
  let transactions = 0;
  const third: IsFailing = (_, name) => name === "TransactWriteCommand" && ++transactions === 3;
  const failed = await callFailing(endpoint, as, data, third);
  expect(failed).toMatchObject({ status: 503, inFlight: 0, late: 0 });
  expect(failed.calls).toBeLessThan(whole.calls / 2);
  expect(await callFailing(endpoint, as, data, () => false)).toMatchObject({ status: 200 });
});
