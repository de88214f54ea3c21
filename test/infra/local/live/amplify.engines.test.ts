// Amplify's own client of AppSync Events against the local engine: nothing here knows the protocol.
import { events } from "@aws-amplify/api-graphql";
import { Amplify } from "@aws-amplify/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { placeholderAccess } from "../../../../infra/local/environment.ts";
import { startLive } from "../../../support/local/live-server.ts";

type Heard = { event: unknown };

/** Amplify asks for TLS, whatever the address says. */
class PlainWebSocket extends WebSocket {
  constructor(url: string, protocols: string[]) {
    super(url.replace(/^wss:/, "ws:"), protocols);
  }
}

async function connected() {
  const { url, thrown } = await startLive();
  vi.stubGlobal("WebSocket", PlainWebSocket);
  onTestFinished(async () => {
    await events.closeAll();
    vi.unstubAllGlobals();
  });
  const { credentials, region } = placeholderAccess;
  Amplify.configure(
    { API: { Events: { endpoint: `${url}/event`, region, defaultAuthMode: "lambda" } } },
    {
      Auth: {
        credentialsProvider: {
          getCredentialsAndIdentityId: async () => ({ credentials }),
          clearCredentialsAndIdentityId: () => {},
        },
      },
    },
  );
  return { url, thrown };
}

const good = { authToken: "good" };

/** A subscription that is ready, and what it hears. */
async function subscribed(path: string, options = good) {
  const channel = await events.connect(path, good);
  const heard: unknown[] = [];
  let reason: { errors: { message: string }[] } | undefined;
  channel.subscribe(
    {
      next: ({ event }: Heard) => void heard.push(event),
      error: (thrown: typeof reason) => {
        reason = thrown;
      },
    },
    options,
  );
  return { channel, heard, reason: () => reason?.errors[0]?.message };
}

/** Publishes until the subscription hears: the client does not say when a subscription is ready. */
async function publishUntilHeard(heard: unknown[], publish: (event: number) => Promise<unknown>): Promise<void> {
  for (let event = 0; heard.length === 0; event++) await publish(event);
}

test("subscribes, hears what a function publishes over HTTP, and unsubscribes", async () => {
  await connected();
  const { channel, heard } = await subscribed("/doc/a1");
  await publishUntilHeard(heard, (n) => events.post("doc/a1", { n }, { authMode: "iam" }));
  const count = heard.length;
  expect(await events.post("doc/a1", [{ kind: "comments" }, [1], "é"], { authMode: "iam" })).toBeUndefined();
  await expect.poll(() => heard.slice(count)).toEqual([{ kind: "comments" }, [1], "é"]);
  channel.close();
});

test("publishes over its WebSocket, and hears the event with the user of its token", async () => {
  await connected();
  const { channel, heard } = await subscribed("/aware/a1");
  await publishUntilHeard(heard, (n) => channel.publish({ n }, good));
  heard.length = 0;
  await channel.publish({ cursor: 3, user: "bob" }, good);
  await expect.poll(() => heard).toEqual([{ cursor: 3, user: "alice" }]);
  channel.close();
});

test("publishes over HTTP with its token where a client may", async () => {
  await connected();
  expect(await events.post("/aware/a1", { n: 1 }, good)).toBeUndefined();
  const refused = { name: "UnauthorizedException" };
  await expect(events.post("/doc/a1", { n: 1 }, good)).rejects.toMatchObject(refused);
  await expect(events.post("/aware/a1", { n: 1 }, { authToken: "bad" })).rejects.toMatchObject(refused);
  await expect(events.post("/aware/a1", { n: 1 }, { authMode: "iam" })).rejects.toMatchObject(refused);
});

test.each([
  ["a bad token", "/doc/a1", { authToken: "bad" }, "UnauthorizedException"],
  ["a wildcard", "/doc/*", good, "UnauthorizedException"],
  ["a bad channel", "/doc/a_b", good, "BadRequestException"],
])("is refused a subscription with %s", async (_, path, options, type) => {
  await connected();
  const { reason } = await subscribed(path, options);
  await expect.poll(reason).toContain(type);
});

test("is refused a connection with a bad token, and does not try again", async () => {
  await connected();
  await expect(events.connect("/doc/a1", { authToken: "bad" })).rejects.toThrow("UnauthorizedException");
});

test("is refused a publication to a namespace of functions", async () => {
  await connected();
  const { channel } = await subscribed("/doc/a1");
  await expect(channel.publish({ n: 1 }, good)).rejects.toThrow("Publish errors: UnauthorizedException");
  channel.close();
});
