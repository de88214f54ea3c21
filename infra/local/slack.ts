// The methods of Slack's web API that the service calls. It checks what Slack checks, and writes each message to a file.
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { listen, privateHttpServer } from "./listen.ts";
import type { Outbox } from "./outbox-files.ts";
import { rateLimit } from "./rate.ts";
import { messageProblem } from "./slack-checks.ts";

/** A token that Slack knows no more. */
const revokedToken = "xoxb-revoked";

export interface SlackOptions {
  outbox?: Outbox | undefined;
  /** Whether the Slack workspace has a user with the address. Default: it has all. */
  isMember?(email: string): boolean;
  /** Slack takes about one message a second for each conversation. Default: any number. */
  postsPerSecond?: number;
  lookUpsPerMinute?: number;
}

// biome-ignore lint/suspicious/noExplicitAny: arguments of a method of Slack, which the stand-in has checked
type Arguments = any;

export interface LocalSlack {
  url: string;
  /** Slack's name of each method that was called. */
  calls: string[];
  messages: Arguments[];
  close(): Promise<void>;
}

type Reply = { ok: true; [field: string]: unknown } | { ok: false; error: string };
const failed = (error: string): Reply => ({ ok: false, error });

export async function startSlack(options: SlackOptions = {}): Promise<LocalSlack> {
  const { isMember = () => true, outbox } = options;
  const calls: string[] = [];
  const messages: Arguments[] = [];
  const mayPost = rateLimit(options.postsPerSecond ?? Number.POSITIVE_INFINITY, 1_000);
  const mayLookUp = rateLimit(options.lookUpsPerMinute ?? Number.POSITIVE_INFINITY, 60_000);
  const emails = new Map<string, string>();

  const methods: Record<string, (given: Arguments) => Reply> = {
    "users.lookupByEmail"({ email }) {
      if (!mayLookUp()) return failed("ratelimited");
      if (!email) return failed("invalid_arguments");
      if (!isMember(email)) return failed("users_not_found");
      const id = `U${createHash("sha256").update(email).digest("hex").slice(0, 10).toUpperCase()}`;
      emails.set(id, email);
      return { ok: true, user: { id, deleted: false, is_bot: false, profile: { email } } };
    },
    "chat.postMessage"(given) {
      if (!mayPost(given.channel)) return failed("ratelimited");
      const problem = messageProblem(given);
      if (problem) return failed(problem);
      messages.push(given);
      const to = emails.get(given.channel) ?? given.channel;
      const content = `${JSON.stringify(given, null, 2)}\n`;
      outbox?.write({ to, subject: given.text ?? "", extension: "slack.json", content });
      return { ok: true, channel: `D${given.channel.slice(1)}`, ts: `${Date.now() / 1_000}` };
    },
  };

  const server = privateHttpServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString("utf8");
    const method = (request.url ?? "").replace(/^\/api\//, "");
    calls.push(method);
    const run = methods[method];
    const problem = tokenProblem(request) ?? (run ? undefined : "unknown_method");
    const reply = problem || !run ? failed(problem ?? "") : run(argumentsOf(request, method, text));
    const isTooFast = !reply.ok && reply.error === "ratelimited";
    const headers = { "content-type": "application/json; charset=utf-8", ...(isTooFast && { "retry-after": "30" }) };
    response.writeHead(isTooFast ? 429 : 200, headers).end(JSON.stringify(reply));
  });
  const { url, close } = await listen(server, 0);
  return { url: `${url}/api`, calls, messages, close };
}

function tokenProblem({ headers }: IncomingMessage): string | undefined {
  const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
  if (token === undefined) return "not_authed";
  if (/^xox[ap]-/.test(token)) return "not_allowed_token_type";
  if (token === revokedToken) return "token_revoked";
  return token.startsWith("xoxb-") ? undefined : "invalid_auth";
}

/** Only some methods read JSON. The others ignore such a body. */
function argumentsOf({ headers }: IncomingMessage, method: string, text: string): Arguments {
  const type = headers["content-type"] ?? "";
  if (type.startsWith("application/x-www-form-urlencoded")) return Object.fromEntries(new URLSearchParams(text));
  return type.startsWith("application/json") && method === "chat.postMessage" ? JSON.parse(text) : {};
}
