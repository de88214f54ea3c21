// AppSync Events of the local server on a free port, without the service.
import { onTestFinished } from "vitest";
import { placeholderAccess } from "../../../infra/local/environment.ts";
import { createGateway } from "../../../infra/local/gateway.ts";
import { listen } from "../../../infra/local/listen.ts";
import { createLive, type LiveOptions } from "../../../infra/local/live/live.ts";

/** Default: the authorizer allows the token `good`, and everything but wildcards. */
export async function startLive(options: Partial<LiveOptions> = {}) {
  const { accessKeyId, secretAccessKey } = placeholderAccess.credentials;
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
  const thrown: unknown[] = [];
  const live = createLive({
    authorizer: async ({ authorizationToken, requestContext: { channel } }) => ({
      isAuthorized: authorizationToken === "good" && !channel?.endsWith("*"),
      handlerContext: { sub: "alice" },
    }),
    handlers: {
      aware: async () => (context) => {
        const user = (context.identity as { handlerContext: Record<string, string> }).handlerContext.sub;
        return context.events.map(({ id, payload }) => ({ id, payload: { ...(payload as object), user } }));
      },
    },
    onError: (error) => thrown.push(error),
    ...options,
  });
  const load = async () => async () => ({ statusCode: 200, body: "the API" });
  const endpoints = [{ name: "not-found", path: "/{proxy+}", timeoutSeconds: 10 }] as const;
  const gateway = createGateway({ endpoints, load, ...live, onError: (error) => thrown.push(error) });
  gateway.on("upgrade", live.upgrade);
  const { url, close } = await listen(gateway, 0);
  onTestFinished(() => {
    live.close();
    return close();
  });
  return { url, live, thrown, realtimeUrl: `${url.replace("http", "ws")}/event/realtime` };
}

/** The subprotocols of a handshake. */
export const protocolsOf = (authorization: object) => [
  "aws-appsync-event-ws",
  `header-${Buffer.from(JSON.stringify(authorization)).toString("base64url")}`,
];
