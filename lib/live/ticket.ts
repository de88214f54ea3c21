// The ticket of a page that listens: `v1.<payload>.<HMAC>`. It opens its channels for three minutes, and nothing on HTTP.
import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import type { LiveKeys } from "./keys.ts";

const ticketSeconds = 180;
const bytesMax = 600;
/** An id of 256 characters of four bytes alone makes more than `bytesMax`. */
const acceptedBytesMax = 2_048;

const Ticket = z.object({
  workspace: z.string(),
  userId: z.string(),
  name: z.optional(z.string()),
  /** Names of channels, for the windows of now and later. */
  document: z.array(z.string()),
  user: z.array(z.string()),
  /** Unix seconds. */
  endsAt: z.number(),
});
export type Ticket = z.output<typeof Ticket>;

/** The name is left out where the ticket would be longer than 600 bytes. */
export function ticketOf(keys: LiveKeys, given: Omit<Ticket, "endsAt">, now: number): string {
  const ticket = { ...given, endsAt: Math.floor(now / 1_000) + ticketSeconds };
  const whole = written(keys, ticket);
  return whole.length <= bytesMax ? whole : written(keys, { ...ticket, name: undefined });
}

function written(keys: LiveKeys, { workspace, userId, name, document, user, endsAt }: Ticket): string {
  const payload = JSON.stringify([workspace, userId, name ?? 0, document, user, endsAt]);
  const signed = `v1.${Buffer.from(payload).toString("base64url")}`;
  return `${signed}.${macOf(keys, signed)}`;
}

/** Undefined for a ticket that was changed, has ended, or is none. `loadKeys`: the keys of the workspace that it names. */
export async function readTicket(
  text: string,
  loadKeys: (ref: { workspace: string }) => Promise<LiveKeys | undefined>,
): Promise<Ticket | undefined> {
  const [, signed, payload, mac] =
    (text.length <= acceptedBytesMax && /^(v1\.([\w-]+))\.([\w-]{43})$/.exec(text)) || [];
  const ticket = payload === undefined ? undefined : parsed(payload);
  const keys = ticket && (await loadKeys(ticket));
  if (!ticket || !keys || !signed || !mac) return undefined;
  // Compared as texts: base64url has several spellings of the same bytes.
  const isOwn = timingSafeEqual(Buffer.from(macOf(keys, signed)), Buffer.from(mac));
  return isOwn && Date.now() < ticket.endsAt * 1_000 ? ticket : undefined;
}

function parsed(payload: string): Ticket | undefined {
  try {
    const [workspace, userId, name, document, user, endsAt] = JSON.parse(Buffer.from(payload, "base64url").toString());
    const ticket = { workspace, userId, document, user, endsAt, ...(name !== 0 && { name }) };
    return Ticket.safeParse(ticket).data;
  } catch {
    return undefined;
  }
}

const macOf = ({ tickets }: LiveKeys, signed: string) =>
  createHmac("sha256", tickets).update(signed).digest("base64url");
