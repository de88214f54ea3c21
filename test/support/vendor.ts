// A server in place of the AI vendors that can also fail as they do.
import type { ServerResponse } from "node:http";
import {
  completionOf,
  json,
  type VendorServer as LocalVendorServer,
  startVendorServer as start,
  type VendorRequest,
} from "../../infra/local/vendor-server.ts";

/** The model's reply to a request, or the way in which the vendor fails. */
export type Behaviour = string | ((request: VendorRequest) => string | Mode) | Mode;

/** A way in which a call can fail. */
export type Mode = { mode: (typeof modes)[number]; text?: string };
export const modes = [
  "cutOff",
  "refusal",
  "wrongKey",
  "rateLimit",
  "quota",
  "error500",
  "overload529",
  "unknownModel",
  "forbiddenModel",
  "tooLong",
  "badRequest",
  "hang",
  "reset",
  "drip",
  "keyEchoed",
  "notJson",
  "empty",
  "redirect",
  "endless",
] as const;

export interface VendorServer extends Omit<LocalVendorServer, "behave"> {
  /** Sets what the server returns from now on, and clears `requests`. */
  behave(behaviour: Behaviour): void;
}

export async function startVendorServer(): Promise<VendorServer> {
  const server = await start();
  const behave = (behaviour: Behaviour) =>
    server.behave((request, response) => {
      const reaction = typeof behaviour === "function" ? behaviour(request) : behaviour;
      return typeof reaction === "string" ? reaction : applyMode(request, reaction, response);
    });
  return { ...server, behave };
}

function applyMode(request: VendorRequest, { mode, text = "" }: Mode, response: ServerResponse): undefined {
  const errorText = `vendor's own text about ${request.apiKey}`;
  const fail = (status: number, reason: string, headers = {}) =>
    json(response, status, errorOf(request, status, errorText, reason), headers);
  const reactions: Record<Mode["mode"], () => void> = {
    cutOff: () => json(response, 200, completionOf(request, text || '{"half":', "length")),
    refusal: () => json(response, 200, completionOf(request, "I cannot help with that.", "refusal")),
    wrongKey: () => fail(request.vendor === "gemini" ? 400 : 401, "API_KEY_INVALID"),
    rateLimit: () => fail(429, "rate_limit", { "retry-after": "60" }),
    quota: () => fail(429, "insufficient_quota"),
    error500: () => fail(500, "server_error"),
    overload529: () => fail(529, "overloaded_error"),
    unknownModel: () => json(response, 404, errorOf(request, 404, `${text} ${errorText}`, "not_found")),
    forbiddenModel: () => fail(403, "model_not_found"),
    tooLong: () => fail(400, "context_length_exceeded"),
    badRequest: () => json(response, 400, errorOf(request, 400, `${text} ${errorText}`, "invalid_request_error")),
    hang: () => {},
    reset: () => response.socket?.resetAndDestroy(),
    drip() {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    },
    keyEchoed: () => fail(418, request.apiKey),
    notJson: () => void response.writeHead(200, { "content-type": "text/html" }).end(`<html>${errorText}</html>`),
    empty: () => json(response, 200, completionOf(request, "", "stop")),
    redirect: () => void response.writeHead(302, { location: "http://127.0.0.1:9/" }).end(),
    endless() {
      response.writeHead(200, { "content-type": "application/json" });
      const fill = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, " ")));
        if (!response.destroyed) response.once("drain", fill);
      };
      fill();
    },
  };
  reactions[mode]();
}

function errorOf({ vendor }: VendorRequest, code: number, message: string, reason: string): object {
  if (vendor === "openai") return { error: { message, type: reason, param: null, code: reason } };
  if (vendor === "anthropic") return { type: "error", error: { type: reason, message } };
  return { error: { code, message, status: "FAILED", details: [{ "@type": "ErrorInfo", reason }] } };
}
