// First attempts at an endpoint start in the order of the events (DECISIONS.md#delivery-attempts). Conflicts and lost
// replies of the table do not change the order.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { drain } from "../../../functions/workers/drain.ts";
import { fanout } from "../../../functions/workers/fanout.ts";
import { drainJob } from "../../../lib/webhooks/endpoint-jobs.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { deliver } from "../../support/run-worker.ts";
import { inFakeTime, turns } from "../../support/turns.ts";
import { addEndpoint, deliveriesOf, eventOf, hooked, outbox, receiver } from "../../support/webhooks.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const events = 24;

/** The places of the events in the order in which their first attempts started. */
async function startsOf(rateLimit: number | null, disturb: () => void): Promise<number[]> {
  const { apiKey } = await hooked();
  const { received, url } = await receiver();
  const { id } = await addEndpoint(apiKey, { url, rateLimit });
  const all = Array.from({ length: events }, (_, index) => eventOf(apiKey, String(index)));
  await deliver(fanout, [await outbox(apiKey, ...all)]);
  disturb();
  await inFakeTime(deliver(drain, [drainJob({ workspace: apiKey, endpointId: id }).id]));
  vi.restoreAllMocks();
  expect(received).toHaveLength(events);
  const logged = (await deliveriesOf(apiKey, id)).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const started = logged.toSorted((one, other) => Date.parse(one.last.at) - Date.parse(other.last.at));
  return started.map((each) => logged.indexOf(each));
}

const inOrder = Array.from({ length: events }, (_, index) => index);
const isWrite = (name: string) => /^(?:Put|Update|Delete|TransactWrite|BatchWrite)/.test(name);

/** Each third write meets another transaction. */
function conflictAtEachThirdWrite(): void {
  let writes = 0;
  interceptStore(({ constructor: { name } }) => {
    if (!isWrite(name) || ++writes % 3 !== 0) return;
    const CancellationReasons = [{ Code: "TransactionConflict" }];
    if (name === "TransactWriteCommand")
      throw Object.assign(new Error("conflict"), { name: "TransactionCanceledException", CancellationReasons });
    throw Object.assign(new Error("conflict"), { name: "TransactionConflictException" });
  });
}

/** Each second read takes longer than a slot waits for its attempt. */
function slowEachSecondRead(): void {
  let reads = 0;
  interceptStore(async ({ constructor: { name } }) => {
    if (!isWrite(name) && ++reads % 2 === 0) await turns(100);
  });
}

it.each([
  ["an undisturbed table", () => {}],
  ["a table whose third write conflicts", conflictAtEachThirdWrite],
  ["a table whose second read is slow", slowEachSecondRead],
])("with a rate limit and %s", async (_, disturb) => {
  expect(await startsOf(20, disturb)).toEqual(inOrder);
  expect(await startsOf(300, disturb)).toEqual(inOrder);
});
