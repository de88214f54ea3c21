// The largest content is one transaction of 3.5 MB. A busy partition can refuse it for seconds.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { crdtAdd, handler } from "../../../functions/editor-content/crdt-add.ts";
import { crdtGet, handler as read } from "../../../functions/editor-content/crdt-get.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import type { Handler } from "../../../lib/http/lambda.ts";
import { type AwsCommand, atAwsEdge } from "../../support/aws/edge.ts";
import { skipBackoff } from "../../support/aws/mock-dynamo.ts";
import { type Credentials, contextOf, eventOf } from "../../support/call.ts";
import { furnishedWorkspace, prepareFurniture } from "../../support/contract/furnished-workspace.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { refusal } from "../../support/engine/table-in-memory.ts";
import { itemsOf } from "../../support/scan.ts";

const editor = { organizationId: "acme", documentId: "plan", editorId: "large" };
const data = { ...editor, type: "text", data: "0123456789".repeat(345_000) };
/** The editor, and ten parts of at most 350,000 bytes. */
const itemCount = 11;
/** Attempts at a transaction that is cancelled for a temporary reason. */
const attemptsMax = 9;

let as: Credentials;

skipBackoff();
beforeAll(prepareFurniture);
beforeEach(async () => {
  newTableInMemory();
  as = await furnishedWorkspace(crdtAdd);
});
afterEach(() => void vi.restoreAllMocks());

async function send(endpoint: Endpoint, by: Handler, body: object) {
  const event = eventOf(endpoint, { as, data: body });
  const { statusCode, body: reply } = await by(event as never, contextOf(endpoint.name, 28_000) as never);
  return { status: statusCode, reply: JSON.parse(reply) };
}

const add = () => send(crdtAdd as Endpoint, handler, data);
const stored = async () => (await itemsOf(as.apiKey)).filter(({ pk, sk }) => `${pk} ${sk}`.includes("#large"));

const throttled = () => {
  const CancellationReasons = Array.from({ length: itemCount }, (_, index) => ({
    Code: index === 3 ? "ThrottlingError" : "None",
  }));
  return refusal("TransactionCanceledException", "Transaction cancelled", { CancellationReasons });
};

/** Passes each transaction to `pass`, with its number from 1. Returns the tokens of all. */
function atTransactions(pass: (attempt: number, call: () => Promise<unknown>) => Promise<unknown>): unknown[] {
  const tokens: unknown[] = [];
  atAwsEdge((command: AwsCommand, call) =>
    command.constructor.name === "TransactWriteCommand"
      ? pass(tokens.push(command.input.ClientRequestToken), call)
      : call(),
  );
  return tokens;
}

async function expectWhole(): Promise<void> {
  expect(await stored()).toHaveLength(itemCount);
  const { reply } = await send(crdtGet as Endpoint, read, editor);
  expect(JSON.stringify(reply)).toContain("update");
}

it("is UNAVAILABLE after nine attempts, has written nothing, and can be repeated", async () => {
  const tokens = atTransactions(async () => {
    throw throttled();
  });
  expect(await add()).toMatchObject({ status: 503, reply: { error: { status: "UNAVAILABLE" } } });
  expect(tokens).toHaveLength(attemptsMax);
  expect(await stored()).toEqual([]);
  vi.restoreAllMocks();
  expect(await add()).toMatchObject({ status: 200 });
  await expectWhole();
});

it("is UNAVAILABLE when the whole request is refused, which only the client of AWS repeats", async () => {
  const tokens = atTransactions(async () => {
    throw refusal("ProvisionedThroughputExceededException", "Too many requests");
  });
  expect(await add()).toMatchObject({ status: 503, reply: { error: { status: "UNAVAILABLE" } } });
  expect(tokens).toHaveLength(1);
  expect(await stored()).toEqual([]);
});

it("is stored whole when the partition has room at the last attempt", async () => {
  const tokens = atTransactions(async (attempt, call) => {
    if (attempt < attemptsMax) throw throttled();
    return call();
  });
  expect(await add()).toMatchObject({ status: 200 });
  expect(new Set(tokens).size).toBe(1);
  await expectWhole();
});

it("is UNAVAILABLE when the reply was lost, and its repeat finds the whole content", async () => {
  atTransactions(async (_, call) => {
    await call();
    throw refusal("TimeoutError", "No reply");
  });
  expect(await add()).toMatchObject({ status: 503, reply: { error: { status: "UNAVAILABLE" } } });
  vi.restoreAllMocks();
  await expectWhole();
  expect(await add()).toMatchObject({ status: 409, reply: { error: { status: "ALREADY_EXISTS" } } });
  await expectWhole();
});
