// The order of the requests of a call with an Idempotency-Key.
import { expect, it } from "vitest";
import * as z from "zod/mini";
import * as Table from "../../../lib/dynamodb/table.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { lambda } from "../../../lib/http/lambda.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { type AwsCommand, atAwsEdge } from "../../support/aws/edge.ts";
import { contextOf, eventOf, newWorkspace } from "../../support/call.ts";
import { turns } from "../../support/turns.ts";

const read = Promise.withResolvers<void>();
const key = { pk: "claim-test", sk: "item" };
const sample = endpoint({
  name: "sample",
  path: "/sample",
  group: "users",
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
  const event = eventOf(sample, { as, data: {}, headers: { "idempotency-key": "key" } });
  const sent = lambda(sample)(event as never, contextOf("sample") as never);
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
