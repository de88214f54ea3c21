// The functions of a client: one for each endpoint.
import { ApiError, errorOf, foreign, jsonIn } from "./api-error.ts";
import type { CallOptions, CommonSettings } from "./options.ts";

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

/** The path of a function, or its end: `usersDataGet` calls `users/data/get`. */
export const usualPathOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `/${letter.toLowerCase()}`);

type Operation = readonly [name: string, path: string, marks: string, list: string | undefined];

/**
 * The rows of a table. A row has the name, the path without `/v2/`, the marks and, for a list with pages, the field of
 * the reply that has the entries. If the path ends with the usual path of the name, the row has only what stands before
 * that: nothing, or text that ends in `/`. The marks:
 *
 * - `w`: the call changes something.
 * - `k`: its `data` has the keys too.
 * - `b`: the data of a success is the whole body.
 * - `n`: a success has no data.
 *
 * The table is text, since it is a large part of the package.
 */
export function operationsIn(table: string): Operation[] {
  return table.split(";").map((row) => {
    const [name = "", ownPath = "", marks = "", list] = row.split(" ");
    const path = /(^|\/)$/.test(ownPath) ? ownPath + usualPathOf(name) : ownPath;
    return [name, `/${path.startsWith("v1/") ? "" : "v2/"}${path}`, marks, list];
  });
}

/** The paths of the service's address whose operations change something. */
export function writesAmong(operations: readonly Operation[], url: string): ReadonlySet<string> {
  const { pathname } = new URL(url);
  return new Set(
    operations.flatMap(([, path, marks]) => (marks.includes("w") ? pathname.replace(/\/$/, "") + path : [])),
  );
}

interface Sending extends CommonSettings {
  /** Resolves to the last reply, whole. */
  send: (request: Request) => Promise<Response>;
  /** What the calls have in `data` that take keys there. */
  keys?: object;
}

/** A function for each operation, by its name. */
export function functionsOf(operations: readonly Operation[], { url, send, keys, onIgnoredFields }: Sending) {
  function functionOf([name, path, marks, list]: Operation): object {
    const call = async (data: object = {}, options?: CallOptions): Promise<unknown> => {
      const { signal, idempotencyKey, keepalive = false } = options ?? {};
      const request = new Request(url + path, {
        method: "POST",
        credentials: "omit",
        keepalive,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ data: marks.includes("k") ? { ...data, ...keys } : data }),
        ...(signal && { signal }),
      });
      if (idempotencyKey !== undefined) request.headers.set("idempotency-key", idempotencyKey);
      const response = await send(request);
      const json = await jsonIn(response);
      const ignored = response.headers.get("x-ignored-fields");
      if (ignored) onIgnoredFields(ignored.split(",").map(decoded), name);
      if (!response.ok) throw errorOf(response, json);
      const { status, data: reply } = Object(Object(json).result);
      const isWhole = marks.includes("b");
      const isReply = marks.includes("n") || typeof reply === "object";
      if (Object(json) !== json || !(isWhole || (status === "success" && isReply))) throw foreign(response.status);
      return isWhole ? json : reply;
    };
    return list === undefined ? call : Object.assign(call, iterators(call, list));
  }
  return Object.fromEntries(operations.map((each) => [each[0], functionOf(each)]));
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
