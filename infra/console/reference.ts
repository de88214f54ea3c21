import { apiDocument } from "../api-document.ts";
import { jsonReply, textReply } from "./reply.ts";
import type { Route } from "./route.ts";
import type { Target } from "./target.ts";

export function referenceRoutes(_target: Promise<Target>): Route[] {
  return [
    [/^\/docs$/, "GET", () => textReply(200, "The reference.")],
    [/^\/openapi\.json$/, "GET", () => jsonReply(apiDocument())],
  ];
}
