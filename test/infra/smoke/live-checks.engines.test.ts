// The smoke test of live messages, with engines that are wrong in one way. The right one is in program.engines.test.ts.
import { expect, onTestFinished, test, vi } from "vitest";
import type { AuthorizerEvent } from "../../../infra/local/live/authorization.ts";
import { Skipped } from "../../../infra/smoke/call.ts";
import { liveChecks } from "../../../infra/smoke/live-checks.ts";
import { startLive } from "../../support/local/live-server.ts";

const channelsOf = (name: string) => ({ now: `/${name}/a`, next: `/${name}/b` });

/** Runs the check with a service that replies this to live/open. */
function checked(opened: object): Promise<void> {
  const replies = { "live/open": opened, generate_token: { result: { data: { token: "t" } } } };
  vi.stubGlobal("fetch", async (url: string) => {
    const [, reply = { result: { data: {} } }] = Object.entries(replies).find(([name]) => url.includes(name)) ?? [];
    return Response.json(reply, { status: "error" in reply ? 400 : 200 });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return Promise.all(
    liveChecks.map((each) => each.run({ url: "https://api.example.com", apiKey: "key", authToken: "token" })),
  ).then(() => undefined);
}

async function withEngine(isAuthorized: (event: AuthorizerEvent) => boolean): Promise<void> {
  const { realtimeUrl } = await startLive({ authorizer: async (event) => ({ isAuthorized: isAuthorized(event) }) });
  const channels = { document: channelsOf("doc"), awareness: channelsOf("aware"), user: channelsOf("user") };
  const data = { url: realtimeUrl, host: "localhost", ticket: "good", channels };
  return checked({ result: { data } });
}

test("is skipped where live messages are off", async () => {
  const off = checked({ error: { status: "FAILED_PRECONDITION", message: "This deployment has no live messages." } });
  await expect(off).rejects.toThrow(Skipped);
  await expect(off).rejects.toThrow("no live messages. It needs the setting and the switch live.");
});

test.each([
  ["every ticket", () => true, "AppSync lets in a page with a wrong ticket."],
  ["a good ticket for all channels", isGood, "A channel that the ticket does not open: accepted"],
  ["no ticket", () => false, "The engine has refused the ticket."],
])("fails where the engine accepts %s", async (_, isAuthorized, message) => {
  await expect(withEngine(isAuthorized)).rejects.toThrow(message);
});

function isGood({ authorizationToken }: AuthorizerEvent): boolean {
  return authorizationToken === "good";
}
