// Live messages in tests: an engine that takes them, and pages that listen.
import { vi } from "vitest";
import { liveOpen } from "../../functions/live/live-open.ts";
import type { OnPublish } from "../../infra/local/live/publish.ts";
import { onPublish } from "../../infra/stack/live/aware-on-publish.js";
import { authorize } from "../../lib/live/authorize.ts";
import * as Setting from "../../lib/store/setting.ts";
import type { Credentials } from "./call.ts";
import { liveInMemory, type Sent } from "./local/live.ts";
import { listen } from "./net/listen.ts";
import { callAs, newWorkspaceForUsers, tokenOf } from "./users.ts";

interface Published {
  channel: string;
  events: { v: number; seq?: number; kind: string; ids?: string[] }[];
}

/** An engine until the test ends. Returns what it has taken. `status`: its reply. */
export async function newEngine(status = 200): Promise<Published[]> {
  const taken: Published[] = [];
  const port = await listen(async (request, response) => {
    const { channel, events } = JSON.parse((await request.toArray()).join(""));
    taken.push({ channel, events: events.map((text: string) => JSON.parse(text)) });
    response.writeHead(status).end("{}");
  });
  vi.stubEnv("LIVE_HTTP_URL", `http://127.0.0.1:${port}/event`);
  vi.stubEnv("LIVE_REALTIME_URL", `ws://127.0.0.1:${port}/event/realtime`);
  return taken;
}

/** A workspace as `newWorkspaceForUsers`, with live messages. */
export async function newLiveWorkspace(): Promise<Credentials> {
  const as = await newWorkspaceForUsers();
  await Setting.update({ workspace: as.apiKey }, "switches", { live: true });
  return as;
}

/** An engine, and a user who listens to the document `d`. `taken`: what the engine has taken since. */
export async function newListener(userId = "ann") {
  const taken = await newEngine();
  const as = await newLiveWorkspace();
  const token = await tokenOf(as, userId);
  const { data: opened } = await callAs(token, liveOpen, { documentId: "d" });
  return { as, taken, token, opened };
}

/** An engine until the test ends, which asks the service's authorizer and handler, as AWS does. */
export async function newRealtime() {
  const engine = liveInMemory({
    authorizer: authorize,
    handlers: { aware: async () => onPublish as unknown as OnPublish },
  });
  const port = await listen(async (request, response) => {
    const { channel, events } = JSON.parse((await request.toArray()).join(""));
    await engine.publish(channel, ...events);
    response.end("{}");
  });
  vi.stubEnv("LIVE_HTTP_URL", `http://127.0.0.1:${port}/event`);
  vi.stubEnv("LIVE_REALTIME_URL", `ws://127.0.0.1:${port}/event/realtime`);
  /** A connection with this ticket, which listens to no channel yet. */
  const connect = (ticket: string) => {
    const client = engine.client({ authorization: ticket, host: "local" });
    const own = { Authorization: ticket, host: "local" };
    return {
      client,
      subscribe: async (channel: unknown, id = String(channel).replaceAll(/\W/g, "-"), as: object = own) =>
        outcomeOf(await client.subscribe(id, channel, as)),
      publish: async (channel: string, events: string[], as: object = own) =>
        outcomeOf(await client.publish(channel, events, as)),
      /** The messages that it has heard. */
      heard: () => client.got.filter(({ type }) => type === "data").map(({ event }) => JSON.parse(event)),
    };
  };
  /** A connection that listens to all channels of the ticket. */
  const listenWith = async ({ ticket, channels }: Opened) => {
    const page = connect(ticket);
    for (const { now, next } of Object.values(channels))
      for (const channel of [now, next]) await page.subscribe(channel);
    return page;
  };
  return { engine, connect, listenWith };
}

/** The type of the answer, or of its error. */
function outcomeOf(answers: Sent[]): string {
  const answer = answers.findLast(({ type }) => type !== "data");
  return answer?.errors?.[0].errorType ?? answer?.type ?? "none";
}

/** What live/open replies. */
export interface Opened {
  ticket: string;
  channels: Record<"document" | "awareness" | "user", { now: string; next: string }>;
}
