// Live messages in tests: an engine that takes them, and pages that listen.
import { vi } from "vitest";
import { liveOpen } from "../../functions/live/live-open.ts";
import * as Setting from "../../lib/store/setting.ts";
import type { Credentials } from "./call.ts";
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
