// A server with the protocols of the three AI vendors. It returns chosen texts, or fails in a chosen mode.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { AiVendor } from "../../lib/schema/setting-names.ts";
import { privateHttpServer } from "./listen.ts";

export interface VendorRequest {
  vendor: AiVendor;
  model: string;
  path: string;
  headers: IncomingMessage["headers"];
  /** The API key, from the vendor's own header. */
  apiKey: string;
  // biome-ignore lint/suspicious/noExplicitAny: each vendor has its own shape
  body: any;
  /** The request's body as text. */
  text: string;
}

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

export interface VendorServer {
  requests: VendorRequest[];
  /** Sets what the server returns from now on, and clears `requests`. */
  behave(behaviour: Behaviour): void;
  url: string;
  /** The base URL for a workspace's AI settings. */
  baseUrl(vendor: AiVendor): string;
  close(): void;
}

export async function startVendorServer(): Promise<VendorServer> {
  const requests: VendorRequest[] = [];
  let behaviour: Behaviour = "Hello.";
  const server = privateHttpServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const request = read(incoming, Buffer.concat(parts).toString());
    const problem = validationError(request);
    if (problem) return json(response, 400, { error: { message: problem, type: "invalid_request_error" } });
    requests.push(request);
    const reaction = typeof behaviour === "function" ? behaviour(request) : behaviour;
    if (typeof reaction === "string") json(response, 200, completionOf(request, reaction, "stop"));
    else applyMode(request, reaction, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    requests,
    url: `http://127.0.0.1:${port}`,
    behave: (next) => {
      behaviour = next;
      requests.length = 0;
    },
    baseUrl: (vendor) => `http://127.0.0.1:${port}/${vendor}/${vendor === "gemini" ? "v1beta" : "v1"}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function read(incoming: IncomingMessage, text: string): VendorRequest {
  const [, vendor = ""] = (incoming.url ?? "").split("/");
  const body = JSON.parse(text || "{}");
  const { headers } = incoming;
  const keys = {
    openai: headers.authorization?.replace("Bearer ", ""),
    anthropic: headers["x-api-key"],
    gemini: headers["x-goog-api-key"],
  };
  const model = vendor === "gemini" ? (/models\/([^:]+):/.exec(incoming.url ?? "")?.[1] ?? "") : body.model;
  const apiKey = String(keys[vendor as AiVendor]);
  return { vendor: vendor as AiVendor, model, path: incoming.url ?? "", headers, apiKey, body, text };
}

/** Rejects requests that the vendor itself would reject. */
function validationError({ vendor, path, headers, body, model }: VendorRequest): string | undefined {
  if (vendor === "openai") {
    if (path !== "/openai/v1/chat/completions") return `No such path: ${path}`;
    if (/^o[134]/.test(model) && "max_tokens" in body) return "Use max_completion_tokens.";
    if (/^o[134]/.test(model) && body.messages.some((each: { role: string }) => each.role !== "user"))
      return "Only user messages.";
    const format = body.response_format;
    if (format && format.type !== "json_schema") return "json_schema is expected.";
  }
  if (vendor === "anthropic") {
    if (path !== "/anthropic/v1/messages") return `No such path: ${path}`;
    if (headers["anthropic-version"] !== "2023-06-01") return "anthropic-version is required.";
    if (!Number.isInteger(body.max_tokens)) return "max_tokens is required.";
  }
  if (vendor === "gemini" && !/^\/gemini\/v1beta\/models\/[\w.-]+:generateContent$/.test(path))
    return `No such path: ${path}`;
  const sampling = ["temperature", "top_p", "top_k", "frequency_penalty", "presence_penalty", "seed", "tools"];
  // `tools` is in the list because the SDK sends a tool, in place of a schema, to older Anthropic models.
  const found = sampling.find((name) => name in body || name in (body.generationConfig ?? {}));
  return found && `${found} is not accepted.`;
}

function completionOf({ vendor, model }: VendorRequest, text: string, reason: "stop" | "length" | "refusal"): object {
  if (vendor === "openai") {
    const message = reason === "refusal" ? { content: null, refusal: text } : { content: text };
    const finish_reason = reason === "refusal" ? "stop" : reason;
    const choices = [{ index: 0, finish_reason, message: { role: "assistant", ...message } }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    return { id: "c1", object: "chat.completion", created: 1, model, choices, usage };
  }
  if (vendor === "anthropic") {
    const stop_reason = { stop: "end_turn", length: "max_tokens", refusal: "refusal" }[reason];
    const usage = { input_tokens: 1, output_tokens: 1 };
    const content = text === "" ? [] : [{ type: "text", text }];
    return { id: "m1", type: "message", role: "assistant", model, content, stop_reason, stop_sequence: null, usage };
  }
  const finishReason = { stop: "STOP", length: "MAX_TOKENS", refusal: "SAFETY" }[reason];
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  return { candidates: [{ index: 0, finishReason, content: { role: "model", parts: [{ text }] } }], usageMetadata };
}

function applyMode(request: VendorRequest, { mode, text = "" }: Mode, response: ServerResponse): void {
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
    unknownModel: () => fail(404, "not_found"),
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

function json(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
