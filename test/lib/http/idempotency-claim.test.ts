// The order of the requests of a call with an Idempotency-Key.
import { afterEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import * as Table from "../../../lib/dynamodb/table.ts";
import { ApiError } from "../../../lib/errors.ts";
import { endpoint, lambda } from "../../../lib/http/lambda.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { type AwsCommand, atAwsEdge } from "../../support/aws/edge.ts";
import { type Credentials, contextOf, eventOf, newWorkspace } from "../../support/call.ts";
import { turns } from "../../support/turns.ts";

afterEach(() => void vi.restoreAllMocks());

const read = Promise.withResolvers<void>();
const key = { pk: "claim-test", sk: "item" };
const sample = endpoint({
  name: "sample",
  path: "/sample",
  summary: "A sample.",
  grants: ["table:write"],
  data: z.object({}),
  reply: z.unknown(),
  message: "Done.",

  async handle() {
    await Table.get(key);
    read.resolve();
    return commit([{ put: { ...key, at: 1 } }]);
  },
});

/** The reply to a call with the key "key". */
async function replyTo(declared: typeof sample, as: Credentials) {
  const event = eventOf(declared, { as, data: {}, headers: { "idempotency-key": "key" } });
  return lambda(declared)(event as never, contextOf("sample") as never);
}

const isClaim = ({ input }: AwsCommand) => JSON.stringify(input).includes("bodyHash");

it("the claim is made while the endpoint reads, and the endpoint's first write waits for it", async () => {
  const as = await newWorkspace();
  const { promise: mayClaim, resolve: claim } = Promise.withResolvers<void>();
  const commands: string[] = [];
  atAwsEdge(async (command, call) => {
    if (isClaim(command)) await mayClaim;
    commands.push(isClaim(command) ? "claim" : command.constructor.name);
    return call();
  });
  const sent = replyTo(sample, as);
  await read.promise;
  // A write that does not wait would be sent in these turns.
  await turns();
  expect(commands).toContain("GetCommand");
  expect(commands).toEqual(expect.not.arrayContaining(["claim", "PutCommand"]));
  claim();
  expect((await sent).statusCode).toBe(200);
  // The data key seals the reply that is stored.
  expect(commands.slice(commands.indexOf("GetCommand"))).toEqual([
    "GetCommand",
    "claim",
    "PutCommand",
    "GenerateDataKeyCommand",
    "UpdateCommand",
  ]);
});

/** What an endpoint reads in its first run, which ends when an earlier call has claimed the key, and in its second one. */
const reads: [string, (caller: Parameters<typeof sample.handle>[0]["caller"]) => Promise<unknown>][] = [
  ["an item", () => Table.get(key)],
  ["a setting", async (caller) => caller?.setting("webhooks")],
];

it.each(reads)(
  "after UNAVAILABLE, the second run reads %s itself, and joins no read of the first",
  async (_, readBy) => {
    const as = await newWorkspace();
    await Setting.update({ workspace: as.apiKey }, "webhooks", {});
    const second = Promise.withResolvers<void>();
    let runs = 0;
    const declared = { ...sample, settings: ["webhooks" as const], events: [] };
    declared.handle = async ({ caller }) => {
      if (++runs === 1) throw new ApiError("UNAVAILABLE", "Busy.");
      // The first run of the second call opens a request of several reads when the claim is made.
      if (runs === 2) await second.promise;
      return (await readBy(caller)) ?? "done";
    };
    expect((await replyTo(declared, as)).statusCode).toBe(503);
    atAwsEdge(async (command, call) => {
      // The request of the settings is in flight until the first run has ended.
      if (runs === 2 && command.constructor.name === "GetCommand" && !JSON.stringify(command.input).includes("#I#")) {
        await second.promise;
        await turns(3);
      }
      const reply = await call();
      if (runs === 2 && isClaim(command)) second.resolve();
      return reply;
    });
    expect((await replyTo(declared, as)).statusCode).toBe(200);
    expect(runs).toBe(3);
  },
);
