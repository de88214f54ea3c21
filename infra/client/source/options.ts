// What a client is made with, and what each call can set.

export interface CommonOptions {
  /** Address of the service, such as `https://abc.execute-api.eu-central-1.amazonaws.com`. */
  url: string;
  /**
   * How often a call is repeated that can succeed later. Default: 3. With 0, no call is repeated, and writes get no
   * idempotency key of the client.
   */
  retries?: number | undefined;
  /** How long one attempt may take, in milliseconds. Default: 30,000, after which API Gateway has ended each call. */
  timeoutMs?: number | undefined;
  /**
   * Called when the service has ignored fields of a call, because it does not know them: they can be misspelled. A field
   * inside of others is a path, such as `folders.foldername`. Default: `console.warn` prints them, once, up to
   * 1,000 texts.
   */
  onIgnoredFields?: ((fields: string[], functionName: string) => void) | undefined;
  /** Replaces the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

export interface ClientOptions extends CommonOptions {
  apiKey: string;
  /** It is a secret, like the API key. Give each client the narrowest scopes that it needs. */
  authToken: string;
}

export interface BrowserClientOptions extends CommonOptions {
  /**
   * Resolves to a token of the user, which your server makes with `/v2/auth/generate_token`. The client asks for the
   * first one at its first call, and for another one when 80 % of the life of the last one is over, or when the service
   * refuses it. Two of these never run at the same time.
   */
  getToken: () => Promise<string>;
}

export interface CallOptions {
  /** Ends the call early. The call then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** The idempotency key of a write. Default: a new one for each call, the same at each attempt. */
  idempotencyKey?: string | undefined;
  /** Whether the call goes on when the page ends. A browser limits its size to 64 KB. */
  keepalive?: boolean | undefined;
}

type Whole<Options> = { [Name in keyof Options]-?: NonNullable<Options[Name]> };
export type CommonSettings = Whole<CommonOptions>;
export type Settings = Whole<ClientOptions>;
export type BrowserSettings = Whole<BrowserClientOptions>;

/** The longest time of a timer, in ms: 24 days. */
const timerMax = 2 ** 31 - 1;

const warned = new Set<string>();
const warnedMax = 1_000;

const defaults = {
  retries: 3,
  timeoutMs: 30_000,
  fetch: (request: Request) => fetch(request),
  onIgnoredFields(fields: string[], functionName: string) {
    // A user of the caller can have named a field, with control characters too, and ever differently.
    const text = `${functionName} ignored unknown fields: ${JSON.stringify(fields)}`;
    if (warned.has(text) || warned.size >= warnedMax) return;
    console.warn(text);
    warned.add(text);
  },
};

/** Throws a TypeError that says which option is wrong. */
export function settingsOf(options: ClientOptions): Settings {
  if ("document" in globalThis && "window" in globalThis) {
    throw new TypeError("createClient is for servers: its keys are secrets, and a browser would show them.");
  }
  const settings = checked<Settings>(options, "apiKey", "authToken");
  for (const name of ["apiKey", "authToken"] as const) {
    // As a header, another key is refused with an error that shows it.
    if (!/^[!-~]+$/.test(settings[name])) throw new TypeError(`${name} must be printable ASCII without spaces.`);
  }
  return settings;
}

/** As `settingsOf`, of a client for a page. */
export function browserSettingsOf(options: BrowserClientOptions): BrowserSettings {
  const settings = checked<BrowserSettings>(options);
  if (typeof settings.getToken !== "function") throw new TypeError("getToken must be a function.");
  return settings;
}

function checked<Checked extends CommonSettings>(options: object, ...texts: (keyof Checked & string)[]): Checked {
  const given = Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined));
  const settings = { ...defaults, ...given } as Checked;
  for (const name of ["url", ...texts] as const) {
    if (typeof settings[name] !== "string" || settings[name] === "") throw new TypeError(`${name} is missing.`);
  }
  for (const [name, least] of [
    ["retries", 0],
    ["timeoutMs", 1],
  ] as const) {
    const value = settings[name];
    if (!Number.isInteger(value) || value < least || value > timerMax) {
      throw new TypeError(`${name} must be a whole number from ${least} to ${timerMax}.`);
    }
  }
  for (const name of ["fetch", "onIgnoredFields"] as const) {
    if (typeof settings[name] !== "function") throw new TypeError(`${name} must be a function.`);
  }
  return { ...settings, url: originOf(settings.url) };
}

const isLoopback = (host: string) => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);

/** The keys go to this address, so it must be encrypted, except on this machine. */
function originOf(text: string): string {
  if (!URL.canParse(text)) throw new TypeError("url must be like https://api.example.com.");
  const url = new URL(text);
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError("url must have no user, password, query or fragment: they would have no effect.");
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    throw new TypeError("url must begin with https://, because keys are sent to it. Locally, http:// will do.");
  }
  if (/\/v[12]\/*$/.test(url.pathname)) throw new TypeError("url must not end in /v1 or /v2.");
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, "")}`;
}
