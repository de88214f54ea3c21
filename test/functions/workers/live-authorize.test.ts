import { expect, it, vi } from "vitest";
import { handler, liveAuthorize } from "../../../functions/workers/live-authorize.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { contextOf } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { inContainer } from "../../support/exact/containers.ts";
import { newListener } from "../../support/live.ts";

const ask = (authorizationToken: string, channel: string) => {
  const [, channelNamespaceName] = channel.split("/");
  const requestContext = { operation: "EVENT_SUBSCRIBE", channelNamespaceName, channel };
  const event = { authorizationToken, requestContext, requestHeaders: {} };
  return inContainer(liveAuthorize, () => handler(event, contextOf("live-authorize") as never));
};

it("lets the page of a ticket listen to its document, and to no other", async () => {
  const { opened } = await newListener();
  const { opened: other } = await newListener();
  const handlerContext = { userId: "ann", name: "The ann" };
  const { now } = opened.channels.document;
  expect(await ask(opened.ticket, now)).toEqual({ isAuthorized: true, handlerContext, ttlOverride: 0 });
  expect(await ask(opened.ticket, other.channels.document.now)).toEqual({ isAuthorized: false, ttlOverride: 0 });
});

it("refuses when it cannot read the keys, and counts that, without the ticket in the log", async () => {
  const { opened } = await newListener();
  interceptStore(async () => {
    throw new Error("The table does not answer.");
  });
  expect(await ask(opened.ticket, opened.channels.document.now)).toEqual({ isAuthorized: false });
  vi.restoreAllMocks();
  expect(logs().at(-1)).toMatchObject({ level: "error", message: "authorization", liveFailures: 1 });
  expect(JSON.stringify(logs())).not.toContain(opened.ticket);
});
