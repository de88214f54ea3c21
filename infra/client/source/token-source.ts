// The token of the user, in memory only: it is never stored, and no address, message or log has it.
//
// A page's clock can be wrong. So the life of a token, `exp` minus `iat`, is measured from its arrival. A token can end
// earlier, because `getToken` returned an old one or the machine slept. Then the service refuses it, and it is renewed.
import { ApiError } from "./api-error.ts";
import type { BrowserSettings } from "./options.ts";
import { inOneTabOf } from "./tabs.ts";
import { within } from "./within.ts";

/** The part of its life after which a token is renewed, while calls still use it. */
const renewedAfter = 0.8;

interface Claims {
  sub: string;
  name?: string;
  aud: string;
  iat: number;
  exp: number;
}

interface Held extends Claims {
  token: string;
  renewAt: number;
  endsAt: number;
}

/** The token of one user. All calls of a client, and the tabs that need one at the same time, wait for one renewal. */
export function tokenSource({ url, getToken, timeoutMs }: BrowserSettings) {
  let held: Held | undefined;
  let renewing: Promise<void> | undefined;

  /** Keeps a token. Throws if it is none, or is one of another user. */
  function hold(token: unknown): Held {
    const claims = claimsIn(token);
    if (!claims) throw failed("getToken must resolve to a user token: the text that generate_token returns.");
    // A call that began as one user must not end as another.
    if (held && !isSameUser(held, claims)) {
      throw failed("getToken resolved to the token of another user. Make a client for each user.");
    }
    const [now, lifeMs] = [performance.now(), (claims.exp - claims.iat) * 1_000];
    const times = { renewAt: now + lifeMs * renewedAfter, endsAt: now + lifeMs };
    held = { ...claims, ...times, token: token as string };
    return held;
  }

  async function ask(): Promise<string> {
    const token = await within(timeoutMs, undefined, async () => getToken()).catch((cause) => {
      throw failed("getToken failed. The error's cause says why.", cause);
    });
    return hold(token).token;
  }

  async function renew(): Promise<void> {
    const former = held;
    // Nothing tells whose token it is: another tab can have another user.
    if (!former) return void (await ask());
    const isRenewed = () => held !== former;
    const take = (token: unknown) => {
      const [claims, last] = [claimsIn(token), held ?? former];
      if (claims && isSameUser(last, claims) && claims.iat >= last.iat && token !== last.token) hold(token);
    };
    try {
      await inOneTabOf(JSON.stringify([url, former.aud, former.sub]), { timeoutMs, ask, take, isRenewed });
    } catch (thrown) {
      // While the former token is good, the next call need not ask again at once.
      former.renewAt = (performance.now() + former.endsAt) / 2;
      throw thrown;
    }
  }

  const isGood = () => held !== undefined && performance.now() < held.endsAt;

  return {
    /** The user of the last token. */
    user: () => held?.sub,
    name: () => held?.name,
    /** A token that is good, as far as is known. */
    async get(): Promise<string> {
      if (held && performance.now() < held.renewAt) return held.token;
      renewing ??= renew().finally(() => {
        renewing = undefined;
      });
      if (isGood()) renewing.catch(() => undefined);
      else await renewing;
      return (held as Held).token;
    },
    /** The service has refused this token. */
    refuse(token: string | undefined): void {
      if (held && held.token === token) held.renewAt = held.endsAt = 0;
    },
  };
}

const failed = (message: string, cause?: unknown) => new ApiError("UNAUTHENTICATED", message, { httpStatus: 0, cause });

const isSameUser = (one: Claims, other: Claims) => one.sub === other.sub && one.aud === other.aud;

/** Undefined: it is no user token. The service verifies it. */
function claimsIn(token: unknown): Claims | undefined {
  const [, text] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(String(token)) ?? [];
  if (typeof token !== "string" || text === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes));
    const types = [claims.sub, claims.aud, claims.iat, claims.exp].map((each) => typeof each).join();
    return types === "string,string,number,number" ? claims : undefined;
  } catch {
    return undefined;
  }
}
