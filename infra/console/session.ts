// Who may use the console: the browser that opened the printed address. The address works once, and becomes a cookie.
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export interface Session {
  /** The address to print. Each works once. */
  address(origin: string): string;
  /** Uses up a token of an address. Returns whether it was the valid one. */
  redeem(token: string): boolean;
  /** Whether the request has the cookie. */
  isOpen(request: Pick<IncomingMessage, "headers" | "socket">): boolean;
  /** The value of Set-Cookie. */
  cookie(request: Pick<IncomingMessage, "socket">): string;
}

const newSecret = () => randomBytes(32).toString("base64url");

/** A session ends with its process: the next process on the port gets a cookie that opens nothing. */
export function createSession(): Session {
  const secret = newSecret();
  let token = newSecret();
  return {
    address: (origin) => `${origin}/?token=${token}`,
    redeem(given) {
      if (!equal(given, token)) return false;
      token = newSecret();
      return true;
    },
    isOpen: (request) => cookiesOf(request).some((value) => equal(value, secret)),
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
