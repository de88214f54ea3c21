// An endpoint reads while its switches are read, and writes after that.
import { beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import * as Table from "../../../lib/dynamodb/table.ts";
import { notFound } from "../../../lib/errors.ts";
import { endpoint, lambda } from "../../../lib/http/lambda.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { send } from "../../../lib/net/send.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { type Credentials, contextOf, eventOf, newWorkspace } from "../../support/call.ts";
import { posts } from "../../support/contract/requests.ts";

const at = { pk: "switch-test", sk: "item" };
let as: Credentials;
beforeEach(async () => {
  as = await newWorkspace();
});

/** Calls an endpoint that needs the switch `notifications`, with the credentials of an earlier call. */
async function replyOf(
  isOn: boolean,
  headers: Record<string, string>,
  handle: () => Promise<unknown>,
  more: { callsOut?: boolean } = {},
) {
  const declared = endpoint({
    name: "sample",
    path: "/sample",
    summary: "A sample.",
    needs: ["notifications"],
    grants: ["table:read", "table:write"],
    errors: ["FAILED_PRECONDITION", "NOT_FOUND"],
    data: z.object({}),
    reply: z.unknown(),
    message: "Done.",
    ...more,
    handle,
  });
  const send = async (more: Record<string, string>) =>
    lambda(declared)(eventOf(declared, { as, data: {}, headers: more }) as never, contextOf("sample") as never);
  await send({});
  await commit([{ delete: at }]);
  await Setting.update({ workspace: as.apiKey }, "switches", { notifications: isOn });
  return JSON.parse((await send(headers)).body);
}

const write = () => commit([{ put: at }]);

it.each<Record<string, string>>([{}, { "idempotency-key": "k" }])(
  "a write waits for the switch %s",
  async (headers) => {
    expect(await replyOf(true, headers, write)).toHaveProperty("result");
    expect(await Table.get(at)).toBeDefined();
    const { error } = await replyOf(false, headers, write);
    expect(error.status).toBe("FAILED_PRECONDITION");
    expect(await Table.get(at)).toBeUndefined();
  },
);

it("a switch that is off is the failure, whatever else fails", async () => {
  const { error } = await replyOf(false, {}, async () => {
    throw notFound("organization");
  });
  expect(error.status).toBe("FAILED_PRECONDITION");
});

it("a request to another server waits for the switch", async () => {
  const resolve = vi.fn(async () => []);
  const request = { url: "https://example.com", method: "GET", timeoutMs: 1_000, maxBytes: 10 } as const;
  const ask = async () => void (await send(request, { isAllowed: () => true, resolve }).catch(() => {}));
  const { error } = await replyOf(false, {}, ask, { callsOut: true });
  expect(error.status).toBe("FAILED_PRECONDITION");
  // The earlier call, with the switch on.
  expect(resolve).toHaveBeenCalledOnce();
});

it("no endpoint with a switch stores a file: that would not wait for the switch", () => {
  const early = posts.filter(({ needs, grants }) => needs.length > 0 && grants.includes("file:write"));
  expect(early).toEqual([]);
});
