// Decides for the engine who may connect, subscribe and publish. The ticket alone decides, and only for its own channels.
import { loadKeys } from "./keys.ts";
import { readTicket, type Ticket } from "./ticket.ts";

/** What a page may do in each namespace, on which names of its ticket. Only functions publish in `doc` and `user`. */
const rules: ReadonlyMap<unknown, { operations: readonly unknown[]; names: (ticket: Ticket) => readonly string[] }> =
  new Map([
    ["doc", { operations: ["EVENT_SUBSCRIBE"], names: ({ document }: Ticket) => document }],
    ["aware", { operations: ["EVENT_SUBSCRIBE", "EVENT_PUBLISH"], names: ({ document }) => document }],
    ["user", { operations: ["EVENT_SUBSCRIBE"], names: ({ user }) => user }],
  ]);

/** The answer in AWS's form. The engine must not keep it: it would keep it for the ticket, not for the channel. */
export interface Decision {
  isAuthorized: boolean;
  handlerContext?: Record<string, string>;
  ttlOverride: 0;
}

export const refused: Decision = { isAuthorized: false, ttlOverride: 0 };

interface Asked {
  authorizationToken?: unknown;
  requestContext?: { operation?: unknown; channelNamespaceName?: unknown; channel?: unknown };
}

export async function authorize(event: unknown): Promise<Decision> {
  const { authorizationToken, requestContext = {} } = (event ?? {}) as Asked;
  const ticket = typeof authorizationToken === "string" ? await readTicket(authorizationToken, loadKeys) : undefined;
  if (!ticket || !mayDo(ticket, requestContext)) return refused;
  const { userId, name } = ticket;
  return { isAuthorized: true, handlerContext: { userId, ...(name !== undefined && { name }) }, ttlOverride: 0 };
}

/** The channel is compared as a whole, so that no wildcard, further segment or escaped form fits. */
function mayDo(ticket: Ticket, { operation, channelNamespaceName, channel }: NonNullable<Asked["requestContext"]>) {
  if (operation === "EVENT_CONNECT") return true;
  const rule = rules.get(channelNamespaceName);
  if (!rule?.operations.includes(operation)) return false;
  return rule.names(ticket).some((name) => channel === `/${channelNamespaceName}/${name}`);
}
