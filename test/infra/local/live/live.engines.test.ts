// AppSync Events of the local server over real sockets.
import { hash } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { signRequest } from "@aws-amplify/core/internals/aws-client-utils";
import { describe, expect, test } from "vitest";
import { placeholderAccess } from "../../../../infra/local/environment.ts";
import { hardLive } from "../../../../infra/local/hard/live.ts";
import { liveRates } from "../../../../infra/local/hard/rates.ts";
import { protocolsOf, startLive } from "../../../support/local/live-server.ts";

const token = { Authorization: "good", host: "local" };

/** Opens a WebSocket. Returns the messages that it gets, and its end. */
async function open(url: string, protocols = protocolsOf(token)) {
  const socket = new WebSocket(url, protocols);
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  const got: any[] = [];
  socket.onmessage = ({ data }) => got.push(JSON.parse(data));
  const ended = once(socket, "close").then(([event]) => (event as CloseEvent).code);
  await Promise.race([once(socket, "open"), ended]);
  const say = (message: object) => socket.send(JSON.stringify(message));
  const until = async (type: string) => {
    await expect.poll(() => got.some((each) => each.type === type)).toBe(true);
    return got.findLast((each) => each.type === type);
  };
  return { socket, got, ended, say, until };
}

interface Signing {
  signingDate?: Date;
  signingService?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

/** The headers of a request as Amplify signs them. */
function signed(url: string, body: string, more: Signing = {}): Record<string, string> {
  const { credentials, region: signingRegion } = placeholderAccess;
  const headers = { "content-type": "application/json" };
  const options = { credentials, signingRegion, signingService: "appsync", ...more };
  return signRequest({ method: "POST", url: new URL(url), headers, body }, options).headers;
}

const body = JSON.stringify({ channel: "doc/a", events: ['{"n":1}'] });

describe("POST /event", () => {
  test("publishes what a function has signed", async () => {
    const { url, realtimeUrl } = await startLive();
    const { say, until } = await open(realtimeUrl);
    say({ type: "subscribe", id: "s", channel: "doc/a", authorization: token });
    await until("subscribe_success");
    const response = await fetch(`${url}/event`, { method: "POST", headers: signed(`${url}/event`, body), body });
    expect([response.status, await response.json()]).toEqual([
      200,
      { successful: [{ identifier: expect.any(String), index: 0 }], failed: [] },
    ]);
    expect(await until("data")).toEqual({ type: "data", id: "s", event: '{"n":1}' });
  });

  const minutes = (count: number) => new Date(Date.now() + count * 60_000);
  test.each<[string, Signing, string]>([
    ["another key", { credentials: { accessKeyId: "local", secretAccessKey: "other" } }, body],
    ["another name of a key", { credentials: { accessKeyId: "other", secretAccessKey: "local" } }, body],
    ["another service", { signingService: "execute-api" }, body],
    ["a time six minutes ago", { signingDate: minutes(-6) }, body],
    ["a time six minutes ahead", { signingDate: minutes(6) }, body],
    ["another body", {}, body.replace("1", "2")],
  ])("refuses %s in a signature", async (_, signing, sent) => {
    const { url } = await startLive();
    const headers = { ...signed(`${url}/event`, body, signing), "x-amz-content-sha256": hash("sha256", body) };
    const response = await fetch(`${url}/event`, { method: "POST", headers, body: sent });
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { errors: [{ errorType: "UnauthorizedException" }] },
    ]);
  });

  test("refuses no authorization, no JSON, another method, and too many bytes", async () => {
    const { url } = await startLive();
    const statusOf = async (init: RequestInit) => (await fetch(`${url}/event`, init)).status;
    expect(await statusOf({ method: "POST", body })).toBe(401);
    expect(await statusOf({ method: "POST", body: "{", headers: { authorization: "good" } })).toBe(400);
    expect(await statusOf({ method: "GET" })).toBe(405);
    expect(await statusOf({ method: "POST", body: "x".repeat(2_600_000) })).toBe(400);
  });

  test("says in hard mode, with status 500, that a publication may have failed", async () => {
    const { url, thrown } = await startLive({ hard: hardLive(1, { ...liveRates, failed: 1 }) });
    const headers = signed(`${url}/event`, body);
    expect((await fetch(`${url}/event`, { method: "POST", headers, body })).status).toBe(500);
    expect(thrown).toHaveLength(1);
  });
});

describe("a WebSocket", () => {
  test.each([
    ["without a token", protocolsOf({ host: "local" }), "UnauthorizedException"],
    ["with a bad token", protocolsOf({ Authorization: "bad" }), "UnauthorizedException"],
    ["with a header that is no JSON", ["aws-appsync-event-ws", "header-e30x"], "BadRequestException"],
    ["without a header", ["aws-appsync-event-ws"], "BadRequestException"],
  ])("%s is refused by a message", async (_, protocols, errorType) => {
    const { realtimeUrl } = await startLive();
    const { got, ended } = await open(realtimeUrl, protocols);
    expect(await ended).toBe(1008);
    expect(got).toMatchObject([{ type: "connection_error", errors: [{ errorType }] }]);
  });

  test("has only the subprotocol of AWS, at its own path", async () => {
    const { url, realtimeUrl } = await startLive();
    const { socket } = await open(realtimeUrl);
    expect(socket.protocol).toBe("aws-appsync-event-ws");
    expect(await (await open(realtimeUrl, protocolsOf(token).slice(1))).ended).toBe(1006);
    expect(await (await open(`${url.replace("http", "ws")}/v2/x`)).ended).toBe(1006);
  });

  test("ends when its message has too many bytes, or is no text", async () => {
    const { realtimeUrl } = await startLive();
    const [long, binary] = [await open(realtimeUrl), await open(realtimeUrl)];
    long.socket.send("x".repeat(2_600_000));
    binary.socket.send(new Uint8Array(1));
    expect([await long.ended, await binary.ended]).toEqual([1009, 1003]);
  });

  test("that is not read ends, and the server keeps no more than a few MB for it", async () => {
    const { url, realtimeUrl } = await startLive();
    const { hostname, port } = new URL(url);
    const slow = connect(Number(port), hostname);
    const headers = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
    const key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
    const protocols = `Sec-WebSocket-Protocol: ${protocolsOf(token).join(", ")}`;
    slow.write(["GET /event/realtime HTTP/1.1", "Host: local", ...headers, key, protocols, "", ""].join("\r\n"));
    await once(slow, "data");
    slow.pause();
    // A frame of 127 bytes at most, with a mask of zeros.
    const message = JSON.stringify({
      type: "subscribe",
      id: "s",
      channel: "doc/a",
      authorization: { Authorization: "good" },
    });
    slow.write(Buffer.concat([Buffer.from([0x81, 0x80 | message.length, 0, 0, 0, 0]), Buffer.from(message)]));
    const { say, until, got } = await open(realtimeUrl);
    say({ type: "subscribe", id: "s", channel: "doc/a", authorization: token });
    await until("subscribe_success");
    const large = JSON.stringify({ channel: "doc/a", events: Array(5).fill(`"${"x".repeat(200_000)}"`) });
    let isEnded = false;
    slow.on("error", () => {}).on("close", () => (isEnded = true));
    let sent = 0;
    for (; !isEnded && sent < 100; sent++) {
      const init = { method: "POST", headers: signed(`${url}/event`, large), body: large };
      expect((await fetch(`${url}/event`, init)).status).toBe(200);
      slow.write(Buffer.from([0x89, 0x80, 0, 0, 0, 0])); // A ping, which fails when the server has ended the socket.
    }
    expect(isEnded).toBe(true);
    await expect.poll(() => got.filter(({ type }) => type === "data").length).toBe(sent * 5);
  });

  test("ends with the server, which takes no other", async () => {
    const { live, realtimeUrl } = await startLive();
    const { ended } = await open(realtimeUrl);
    live.close();
    expect(await ended).toBe(1006);
    expect(await (await open(realtimeUrl)).ended).toBe(1006);
  });
});

test("a call that asks for h2c gets the reply of the API", async () => {
  const { url } = await startLive();
  const headers = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAAQAAP__" };
  const [response] = await once(request(`${url}/v2/x`, { method: "POST", headers }).end("{}"), "response");
  expect(response.statusCode).toBe(200);
  response.resume();
});
