// A console over a stand-in API, which records the calls that it gets.
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { Operations } from "../../../infra/console/server/operations.ts";
import { serveConsole } from "../../../infra/console/server/serve.ts";
import { createSession } from "../../../infra/console/server/session.ts";
import { httpServer, listen } from "../../../infra/local/listen.ts";
import { scopes } from "../../../lib/schema/scopes.ts";

export const keys = { apiKey: "ws_the-api-key-of-the-test", authToken: "at_the-auth-token-of-the-test-1234567890" };

export interface ApiCall {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

export type ApiReply = { status?: number; headers?: Record<string, string>; body?: unknown };

/** A server in place of the API. `reply` gets each call. */
export async function standInApi(reply: (call: ApiCall) => ApiReply | "hang" = () => ({})) {
  const calls: ApiCall[] = [];
  const server = httpServer(async (request, response) => {
    const { method, url, headers } = request;
    const call = { method, url, headers, body: await text(request) };
    calls.push(call);
    const answer = reply(call);
    if (answer === "hang") return;
    const {
      status = 200,
      headers: more,
      body = { result: { status: "success", message: "Done.", data: {} } },
    } = answer;
    const content = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": "application/json", ...more }).end(content);
  });
  const { url, close } = await listen(server, 0);
  onTestFinished(close);
  return { url, calls };
}

interface ConsoleOptions {
  api: string;
  operations?: Operations;
}

/** The header of a page that the printed address has led to this location. */
export function keyIn(location: string | null | undefined): Record<string, string> {
  return { "x-console-key": /#console-key=([\w-]+)$/.exec(location ?? "")?.[1] ?? "" };
}

/** The console of `npm run console`. `cookie` and `key`: those of a browser that has opened the printed address. */
export async function consoleOf({ api, operations = {} }: ConsoleOptions) {
  const session = createSession();
  const notices: string[] = [];
  const errors: unknown[] = [];
  const { url, close } = await serveConsole({
    mode: "url",
    port: 0,
    target: Promise.resolve({ api, ...keys, scopes }),
    session,
    operations,
    notice: (line) => notices.push(line),
    onError: (thrown) => errors.push(thrown),
  });
  onTestFinished(close);
  const opened = await fetch(session.address(url), { redirect: "manual" });
  const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";");
  const key = keyIn(opened.headers.get("location"));
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers: { cookie, ...key, ...headers }, redirect: "manual" });
  const call = (path: string, data: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(`${url}/console/api${path}`, {
      method: "POST",
      headers: { cookie, ...key, "content-type": "application/json", ...headers },
      body: JSON.stringify({ data }),
      redirect: "manual",
      ...(signal && { signal }),
    });
  return { url, session, notices, errors, cookie, key, get, call };
}
