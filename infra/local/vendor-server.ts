// A server with the protocols of the three AI vendors. It returns chosen texts.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AiVendor } from "../../lib/schema/setting-names.ts";
import { listen, privateHttpServer } from "./listen.ts";

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

/** The model's reply to a request, or a function that returns it. The function can also respond itself. */
export type Behaviour = string | ((request: VendorRequest, response: ServerResponse) => string | undefined);

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
    const request = read(incoming, Buffer.concat(await incoming.toArray()).toString());
    const problem = validationError(request);
    if (problem) return json(response, 400, { error: { message: problem, type: "invalid_request_error" } });
    requests.push(request);
    const text = typeof behaviour === "function" ? behaviour(request, response) : behaviour;
    if (text !== undefined) json(response, 200, completionOf(request, text, "stop"));
  });
  const { url } = await listen(server, 0);
  return {
    requests,
    url,
    behave: (next) => {
      behaviour = next;
      requests.length = 0;
    },
    baseUrl: (vendor) => `${url}/${vendor}/${vendor === "gemini" ? "v1beta" : "v1"}`,
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

export function completionOf(
  { vendor, model }: VendorRequest,
  text: string,
  reason: "stop" | "length" | "refusal",
): object {
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

export function json(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
