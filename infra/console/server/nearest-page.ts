// The page of this server that somebody means who types another address.
import { nearest } from "../../../lib/http/nearest.ts";

const docs = ["docs", "documents", "documentation", "reference", "api", "api-docs", "swagger", "redoc"];
const openapi = ["openapi.json", "openapi", "openapi.yaml", "openapi.yml", "swagger.json", "api.json"];
const home = ["console", "index.html", "home", "admin", "dashboard", "ui"];
const health = ["health", "healthz", "healthcheck", "ping", "status"];

const named = Object.entries({ "/docs": docs, "/openapi.json": openapi, "/console": home, "/health": health });
const pages = new Map(named.flatMap(([page, names]) => names.map((name) => [name, page] as const)));

/** Undefined: it is probably a call. Paths of calls have several segments. */
export function nearestPage(path: string): string | undefined {
  const [, name = ""] = /^\/+([^/]+)\/*$/.exec(path) ?? [];
  return pages.get(nearest(name, [...pages.keys()]) ?? "");
}
