// Who may use the console: the browser that opened the printed address. The address works once. It becomes a cookie,
// which the browser sends to every server of this machine, and a key, which only pages of this port can read.
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface Session {
  /** The address to print. Each works once. */
  address(origin: string): string;
  /** Uses up a token of an address. Returns whether it was the valid one. */
  redeem(token: string): boolean;
  /** Whether the request has the cookie. */
  isOpen(request: Pick<IncomingMessage, "headers" | "socket">): boolean;
  /** Whether the request has the key, as those of the page have. */
  hasKey(request: Pick<IncomingMessage, "headers">): boolean;
  /** The fragment of an address that brings the key to the page. */
  fragment: string;
  /** The value of Set-Cookie. */
  cookie(request: Pick<IncomingMessage, "socket">): string;
}

const newSecret = () => randomBytes(32).toString("base64url");

/** A session ends with its process: the next process on the port gets a cookie that opens nothing. */
export function createSession(): Session {
  const [secret, key] = [newSecret(), newSecret()];
  let token = newSecret();
  return {
    address: (origin) => `${origin}/?token=${token}`,
    redeem(given) {
      if (!equal(given, token)) return false;
      token = newSecret();
      return true;
    },
    isOpen: (request) => cookiesOf(request).some((value) => equal(value, secret)),
    hasKey: ({ headers }) => equal(String(headers["x-console-key"]), key),
    fragment: `#console-key=${key}`,
    cookie: ({ socket }) => `${cookieName(socket.localPort)}=${secret}; Path=/; HttpOnly; SameSite=Strict`,
  };
}

/** Cookies do not know ports, so two servers of one machine need two names. */
const cookieName = (port: number | undefined) => `console-${port}`;

function cookiesOf({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): string[] {
  const start = `${cookieName(socket.localPort)}=`;
  const cookies = headers.cookie?.split(/;\s*/) ?? [];
  return cookies.filter((each) => each.startsWith(start)).map((each) => each.slice(start.length));
}

function equal(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => hash("sha256", text, "buffer")) as [Buffer, Buffer];
  return timingSafeEqual(first, second);
}
