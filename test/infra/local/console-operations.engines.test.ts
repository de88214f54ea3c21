// The console of the local server, over a data folder.
import { describe, expect, test } from "vitest";
import { type Server, serve } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";

async function get({ ready }: Server, path: string) {
  const reply = await fetch(ready.url + path);
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  return { status: reply.status, body: (await reply.json()) as any };
}

describe("the console of the local server", () => {
  test("shows what the folder knows, without the cookie and without the keys", async () => {
    const server = await serve(temporaryFolder());
    expect(await get(server, "/health")).toEqual({ status: 200, body: { status: "ok" } });
    const { body: session } = await get(server, "/console/session");
    expect(session).toMatchObject({
      mode: "local",
      api: server.ready.url,
      operations: { jobs: true, settings: true, mails: true },
    });
    const { body: settings } = await get(server, "/console/operations/settings");
    expect(settings.settings).toContainEqual(
      expect.objectContaining({ name: "tokenIssuer", value: server.ready.url, default: "" }),
    );
    expect(await get(server, "/console/operations/mails")).toMatchObject({ status: 200, body: { mails: [] } });
    expect(await get(server, "/console/operations/jobs")).toMatchObject({ status: 200, body: { jobs: [] } });
    const shown = JSON.stringify([session, settings, await get(server, "/docs/openapi.json")]);
    const { apiKey, authToken, readToken } = server.ready;
    expect([apiKey, authToken, readToken].filter((each) => shown.includes(each))).toEqual([]);
  });
});
