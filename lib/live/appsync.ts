// The only file that knows AWS AppSync Events: it publishes over HTTP, signed with the role of the function. On this
// machine, an engine of the same protocol takes the messages.
import { createHash, createHmac } from "node:crypto";
import { Agent, request as httpRequest } from "node:http";
import { request as httpsRequest, Agent as TlsAgent } from "node:https";
import { config } from "../config.ts";

/** AppSync takes at most five events in a request. */
export const eventsPerRequest = 5;

const agents = { "http:": new Agent({ keepAlive: true }), "https:": new TlsAgent({ keepAlive: true }) };

/** Sends JSON texts to a channel. Throws unless the engine has taken them before the signal aborts. */
export async function publish(channel: string, events: readonly string[], signal: AbortSignal): Promise<void> {
  const url = new URL(config.liveHttpUrl() ?? "");
  const body = JSON.stringify({ channel, events });
  const status = await post(url, body, signal);
  if (status !== 200) throw new Error(`The engine of live messages returned HTTP status ${status}.`);
}

function post(url: URL, body: string, signal: AbortSignal, isRepeat = false): Promise<number> {
  return new Promise((resolve, reject) => {
    const isTls = url.protocol === "https:";
    const agent = agents[isTls ? "https:" : "http:"];
    const options = { method: "POST", headers: signedHeaders(url, body, new Date()), agent, signal };
    const outgoing = (isTls ? httpsRequest : httpRequest)(url, options);
    outgoing.on("response", (incoming) => incoming.resume().on("end", () => resolve(incoming.statusCode ?? 0)));
    // The engine can have closed a kept connection.
    outgoing.on("error", (cause) => {
      if (!outgoing.reusedSocket || isRepeat || signal.aborted) reject(cause);
      else post(url, body, signal, true).then(resolve, reject);
    });
    outgoing.end(body);
  });
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** The headers of a POST, with AWS's signature (version 4). */
export function signedHeaders({ host, pathname }: URL, body: string, now: Date): Record<string, string> {
  const { AWS_REGION = "", AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  const at = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const day = at.slice(0, 8);
  const headers = {
    "content-type": "application/json",
    host,
    "x-amz-date": at,
    ...(AWS_SESSION_TOKEN && { "x-amz-security-token": AWS_SESSION_TOKEN }),
  };
  const names = Object.keys(headers).join(";");
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const request = ["POST", pathname, "", lines.join(""), names, sha256(body)].join("\n");
  const scope = [day, AWS_REGION, "appsync", "aws4_request"];
  const key = scope.reduce((derived: string | Buffer, part) => hmac(derived, part), `AWS4${AWS_SECRET_ACCESS_KEY}`);
  const text = ["AWS4-HMAC-SHA256", at, scope.join("/"), sha256(request)].join("\n");
  const credential = `Credential=${AWS_ACCESS_KEY_ID}/${scope.join("/")}`;
  const signature = hmac(key, text).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization };
}
