// A client: one function for each endpoint, over openapi-fetch's `POST` and `GET`.
import createFetchClient, { type Client as FetchClient } from "openapi-fetch";
import { ApiError, errorOf, foreign } from "./api-error.ts";
import { type CallOptions, type ClientOptions, settingsOf } from "./options.ts";
import { retryingFetch } from "./retrying-fetch.ts";

/** Sends a request. Resolves to the data of the reply, and rejects with an `ApiError`. */
export type Call<Data, Reply> = (data: Data, options?: CallOptions) => Promise<Reply>;

/** A list with pages. */
export interface ListCall<Data, Reply, Entry> extends Call<Data, Reply> {
  /** All pages from the one that `data` names, each requested when the former was used. */
  pages(data: Data, options?: CallOptions): AsyncGenerator<Reply, void, undefined>;
  /** The entries of all pages. */
  entries(data: Data, options?: CallOptions): AsyncGenerator<Entry, void, undefined>;
}

/** A list with pages, whose entries have the type that a field of the request names. */
export interface ListCallBy<
  Data,
  Reply,
  Field extends keyof Data,
  List extends keyof Reply,
  Entries extends Record<string, unknown>,
> {
  <Value extends Data[Field] & keyof Entries>(
    data: Data & Record<Field, Value>,
    options?: CallOptions,
  ): Promise<Omit<Reply, List> & Record<List, Entries[Value][]>>;
  /** As those of `ListCall`. */
  pages<Value extends Data[Field] & keyof Entries>(
    data: Data & Record<Field, Value>,
    options?: CallOptions,
  ): AsyncGenerator<Omit<Reply, List> & Record<List, Entries[Value][]>, void, undefined>;
  entries<Value extends Data[Field] & keyof Entries>(
    data: Data & Record<Field, Value>,
    options?: CallOptions,
  ): AsyncGenerator<Entries[Value], void, undefined>;
}

/** openapi-fetch's calls. They resolve to `{ data, error, response }` with the whole body, and retry as well. */
export type HttpCalls<Paths extends object> = Pick<FetchClient<Paths>, "GET" | "POST">;

type Post = (path: string, init: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** The path of a function, or its end: `usersDataGet` calls `users/data/get`. */
export const usualPathOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `/${letter.toLowerCase()}`);

/**
 * Makes a function for each row of a table. A row has the name, the path without `/v2/`, the marks and, for a list with
 * pages, the field of the reply that has the entries. If the path ends with the usual path of the name, the row has only
 * what stands before that: nothing, or text that ends in `/`. The marks:
 *
 * - `w`: the call changes something.
 * - `k`: its `data` has the keys too.
 * - `b`: the data of a success is the whole body.
 * - `n`: a success has no data.
 *
 * The table is text, since it is a large part of the package.
 */
export function makeClient(table: string, options: ClientOptions): object {
  const operations = table.split(";").map((row) => {
    const [name = "", ownPath = "", marks = "", list] = row.split(" ");
    const path = /(^|\/)$/.test(ownPath) ? ownPath + usualPathOf(name) : ownPath;
    return [name, `/${path.startsWith("v1/") ? "" : "v2/"}${path}`, marks, list] as const;
  });
  const settings = settingsOf(options);
  const { url, apiKey, authToken } = settings;
  const writes = new Set<string>(operations.flatMap(([, path, marks]) => (marks.includes("w") ? [path] : [])));
  const base = new URL(url).pathname.replace(/\/$/, "");
  const { POST, GET } = createFetchClient<Record<string, never>>({
    baseUrl: url,
    fetch: retryingFetch(settings, (path) => writes.has(path.slice(base.length))),
  });
  const post = POST as unknown as Post;

  function callOf(name: string, path: string, marks: string, list: string | undefined): object {
    const call = async (data: object = {}, options?: CallOptions): Promise<unknown> => {
      const { signal, idempotencyKey } = options ?? {};
      const init = {
        body: { data: marks.includes("k") ? { ...data, apiKey, authToken } : data },
        ...(signal && { signal }),
        ...(idempotencyKey !== undefined && { headers: { "idempotency-key": idempotencyKey } }),
      };
      const {
        data: body,
        error,
        response,
      } = await post(path, init).catch((thrown) => {
        // openapi-fetch does not pass on a reason such as null.
        if (signal?.aborted) throw signal.reason;
        throw thrown;
      });
      const ignored = response.headers.get("x-ignored-fields");
      if (ignored) settings.onIgnoredFields(ignored.split(",").map(decoded), name);
      if (!response.ok) throw errorOf(response, error);
      const { status, data: reply } = Object(Object(body).result);
      const isWhole = marks.includes("b");
      const isReply = marks.includes("n") || typeof reply === "object";
      if (Object(body) !== body || !(isWhole || (status === "success" && isReply))) throw foreign(response.status);
      return isWhole ? body : reply;
    };
    return list === undefined ? call : Object.assign(call, iterators(call, list));
  }

  const calls = operations.map(([name, path, marks, list]) => [name, callOf(name, path, marks, list)] as const);
  return Object.freeze({ GET, POST, ...Object.fromEntries(calls) });
}

/** A name in a header that something on the way has changed stays as it is. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

type Page = Record<string, unknown> & { nextPageToken?: string | null };

function iterators(call: (data: object, options?: CallOptions) => Promise<unknown>, list: string) {
  async function* pages(data: object = {}, options?: CallOptions): AsyncGenerator<Page, void, undefined> {
    const used = new Set<string | null>();
    for (let pageToken: string | null | undefined; pageToken !== null; ) {
      const page = (await call(pageToken === undefined ? data : { ...data, pageToken }, options)) as Page | undefined;
      if (!Array.isArray(page?.[list])) throw foreign(200);
      yield page;
      pageToken = page.nextPageToken ?? null;
      if (used.has(pageToken)) throw new ApiError("INTERNAL", "The service repeats a page.", { httpStatus: 200 });
      used.add(pageToken);
    }
  }
  async function* entries(data: object = {}, options?: CallOptions): AsyncGenerator<unknown, void, undefined> {
    for await (const page of pages(data, options)) yield* page[list] as unknown[];
  }
  return { pages, entries };
}

/** Whether a call failed, with one of these statuses if any are given. */
export function isApiError<Status extends string>(thrown: unknown, ...statuses: Status[]): thrown is ApiError<Status> {
  return thrown instanceof ApiError && (statuses.length === 0 || (statuses as string[]).includes(thrown.status));
}

/** The results of a bulk call that failed, each with the id under which it was sent; in a list, with its position. */
export function failedItems<Result extends { success: boolean }>(
  results: Readonly<Record<string, Result>> | readonly Result[],
): (Extract<Result, { success: false }> & { key: string })[] {
  return Object.entries(results).flatMap(([key, result]) =>
    result.success ? [] : [{ ...(result as Extract<Result, { success: false }>), key }],
  );
}
