// The options of every client of AWS. Each client is created on first use and kept by its container.
import { Agent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import type { Socket } from "node:net";
import { config } from "./config.ts";

/** A connection within a region takes a few milliseconds. */
const connectMs = 1_000;

/**
 * From the request to the headers of its reply, and between two packets. DynamoDB and KMS take a few milliseconds. A call
 * of 10 s may lose 4 s (`patience.ts`), so a request without a reply can be repeated twice.
 */
const replyMs = 1_500;

/** Connections to one address. Further requests wait for one of them. It is the default of the SDK. */
const maxSockets = 50;

/**
 * Each attempt of the SDK has these limits. Without them, a request on a dead connection would wait until its call ends.
 * The attempts together are limited by the call that makes the request (`Patience`).
 *
 * Both limits begin when the request has a connection, or begins to make one. The SDK's own `connectionTimeout` and
 * `requestTimeout` begin before: many parallel requests would fail because they wait for one another.
 */
export function clientOptions(socketTimeout = replyMs) {
  return {
    requestHandler: {
      httpAgent: connectingInTime(new Agent({ keepAlive: true, maxSockets })),
      httpsAgent: connectingInTime(new TlsAgent({ keepAlive: true, maxSockets })),
      socketTimeout: socketTimeout * config.slowness(),
    },
  };
}

/** Each connection of this agent fails when it is not made in time. The SDK then repeats the request. */
function connectingInTime<A extends Agent>(agent: A): A {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...given) => {
    const socket = connect(...given) as Socket;
    const limitMs = connectMs * config.slowness();
    const late = () => {
      if (!socket.connecting) return;
      socket.destroy(Object.assign(new Error(`No connection within ${limitMs} ms.`), { code: "ETIMEDOUT" }));
    };
    // After a long computation, the timer can run before Node notices a connection that was made meanwhile. Between two
    // immediates, it does.
    const timer = setTimeout(() => setImmediate(() => setImmediate(late)), limitMs);
    const stop = () => clearTimeout(timer);
    return socket.once("connect", stop).once("close", stop);
  };
  return agent;
}
