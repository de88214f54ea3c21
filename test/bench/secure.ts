// A TLS proxy in front of the local engine, because the TLS handshake is a large part of a cold request to DynamoDB.
// The certificate has another host name, so the measured processes do not check it.
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { createServer } from "node:tls";
import { cert, key } from "../support/net/certificate.ts";

export async function startTls(endpoint: string) {
  const { hostname, port } = new URL(endpoint);
  const server = createServer({ cert, key }, (socket) => {
    const engine = connect(Number(port), hostname);
    for (const [one, other] of [[socket, engine] as const, [engine, socket] as const]) {
      one.on("error", () => other.destroy()).pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => void server.close() };
}
