// Receives webhooks of the demo workspace (functions/webhooks/WEBHOOKS.md).
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createClient } from "../../dist/client/index.js";
import { verify } from "../../dist/client/webhooks.js";

const demo = JSON.parse(readFileSync(".data/demo.json", "utf8"));
const client = createClient({ url: "http://127.0.0.1:8787", ...demo });
await client.advancedwebhookconfigUpdate({ isEnabled: true });
const url = "http://127.0.0.1:9000/";
const { endpoints } = await client.webhookEndpointsGet({});
const known = endpoints.find((endpoint) => endpoint.url === url);
const { id: endpointId } = known ?? (await client.webhookEndpointsCreate({ url }));
const { secret } = await client.webhookSecretGet({ endpointId });

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  try {
    console.log("Verified:", verify(secret, body, request.headers));
  } catch (error) {
    console.log("Refused:", error.message);
    response.statusCode = 401;
  }
  response.end();
});
await once(server.listen(9000, "127.0.0.1"), "listening").catch((error) => {
  const isInUse = error.code === "EADDRINUSE";
  console.error(isInUse ? "Port 9000 is in use, perhaps by another receiver: end it with Ctrl-C." : error);
  process.exit(1);
});
console.log(`Waiting for events at ${url}`);
await client.webhookTest({ endpointId });
