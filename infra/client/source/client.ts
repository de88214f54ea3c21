// The client for servers: the functions of its endpoints, and openapi-fetch's `POST` and `GET`.
import createFetchClient, { type Client as FetchClient } from "openapi-fetch";
import { functionsOf, operationsIn, writesAmong } from "./calls.ts";
import { type ClientOptions, settingsOf } from "./options.ts";
import { retryingFetch } from "./retrying-fetch.ts";

/** openapi-fetch's calls. They resolve to `{ data, error, response }` with the whole body, and retry as well. */
export type HttpCalls<Paths extends object> = Pick<FetchClient<Paths>, "GET" | "POST">;

/** Makes a function for each row of a table. */
export function makeClient(table: string, options: ClientOptions): object {
  const operations = operationsIn(table);
  const settings = settingsOf(options);
  const { url, apiKey, authToken } = settings;
  const keys = { "x-service-api-key": apiKey, "x-service-auth-token": authToken };
  const send = retryingFetch(settings, writesAmong(operations, url), {
    authorize({ headers }) {
      for (const [name, value] of Object.entries(keys)) if (!headers.has(name)) headers.set(name, value);
    },
  });
  const { POST, GET } = createFetchClient<Record<string, never>>({ baseUrl: url, fetch: send });
  const functions = functionsOf(operations, { ...settings, send, keys: { apiKey, authToken } });
  return Object.freeze({ GET, POST, ...functions });
}
