import type { Endpoint } from "../../lib/http/endpoint.ts";
import * as Event from "../support/event.ts";

export type { Credentials } from "../support/event.ts";

export function eventOf(
  { path, method }: Pick<Endpoint, "path" | "method">,
  as: Event.Credentials,
  data: object,
): object {
  // Only one endpoint has a parameter in its path.
  const pathParameters = { apiKey: as.apiKey };
  return Event.eventOf(
    { path, method: method === "ANY" || method === "FORM" ? "GET" : method },
    { as, data, pathParameters },
  );
}

export const contextOf = () => Event.contextOf("bench", 25_000);
