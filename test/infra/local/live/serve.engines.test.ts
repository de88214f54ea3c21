import { once } from "node:events";
import { signRequest } from "@aws-amplify/core/internals/aws-client-utils";
import { expect, test } from "vitest";
import { placeholderAccess } from "../../../../infra/local/environment.ts";
import { protocolsOf } from "../../../support/local/live-server.ts";
import { serve, stopped } from "../../../support/local/serve.ts";
import { temporaryFolder } from "../../../support/local/start.ts";

test("the port of the local API takes events and WebSockets, and asks the service's authorizer", async () => {
  const server = await serve(temporaryFolder());
  const { credentials, region: signingRegion } = placeholderAccess;
  const url = new URL(`${server.ready.url}/event`);
  const body = JSON.stringify({ channel: "doc/a", events: ["1"] });
  const options = { credentials, signingRegion, signingService: "appsync" };
  const { headers } = signRequest({ method: "POST", url, headers: {}, body }, options);
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
  const socket = new WebSocket(`${url}/realtime`.replace("http", "ws"), protocolsOf({ Authorization: "bad" }));
  const [message] = (await once(socket, "message")) as [MessageEvent];
  expect(JSON.parse(message.data)).toMatchObject({ errors: [{ errorType: "UnauthorizedException" }] });
  await once(socket, "close");
  expect(await stopped(server, "SIGTERM")).toBe(0);
});
