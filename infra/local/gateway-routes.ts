import type { Endpoint } from "../../lib/http/endpoint.ts";
import { catchAllPath, routePath } from "../deployables.ts";
import { decoded } from "./decoded.ts";

export type Target = Pick<Endpoint, "name" | "path" | "timeoutSeconds"> & Partial<Pick<Endpoint, "data">>;

export interface Route {
  target: Target;
  /** API Gateway's name of the route. */
  routeKey: string;
  pathParameters: Record<string, string> | undefined;
}

/** Returns a function that finds the route of a path, for any method: each function rejects a wrong method itself. */
export function router(endpoints: readonly Target[]): (path: string) => Route | undefined {
  const byRoute = new Map(endpoints.map((each) => [routePath(each.path), each]));
  const templates = endpoints.filter(({ path }) => path.includes("{") && path !== catchAllPath);
  const fallback = byRoute.get(catchAllPath);
  return (path) => {
    const [, version = "", rest = ""] = /^\/([^/]+)(\/.+)$/.exec(path) ?? [];
    const versioned = byRoute.get(`/{version}${rest}`);
    if (versioned) return routeTo(versioned, { version: decoded(version) });
    const exact = path.includes("{") ? undefined : byRoute.get(path);
    if (exact) return routeTo(exact, undefined);
    for (const template of templates) {
      const pathParameters = match(routePath(template.path), path);
      if (pathParameters) return routeTo(template, pathParameters);
    }
    return fallback && { target: fallback, routeKey: "$default", pathParameters: undefined };
  };
}

function routeTo(target: Target, pathParameters: Route["pathParameters"]): Route {
  return { target, routeKey: `ANY ${routePath(target.path)}`, pathParameters };
}

function match(template: string, path: string): Record<string, string> | undefined {
  const names = template.split("/");
  const segments = path.split("/");
  if (names.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const name = names[index] ?? "";
    const parameter = /^\{(\w+)\}$/.exec(name)?.[1];
    if (parameter === undefined ? name !== segment : segment === "") return undefined;
    if (parameter !== undefined) parameters[parameter] = decoded(segment);
  }
  return parameters;
}
