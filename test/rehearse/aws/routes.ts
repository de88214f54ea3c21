// The routes of the HTTP API as API Gateway imports them from the template's OpenAPI body.
import type { Statement } from "./policy.ts";
import { fail, type Properties, type Resources } from "./resources.ts";

export interface DeployedRoute {
  /** `$default`, or the method and the path. */
  routeKey: string;
  segments: string[];
  functionArn: string;
  /** The role with which API Gateway invokes the function. */
  role: Statement[];
  timeoutMs: number;
}

export interface Match {
  route: DeployedRoute;
  pathParameters: Record<string, string> | undefined;
}

export function routesOf(resources: Resources): DeployedRoute[] {
  const [[, { Body: body }] = fail("The template has no API.")] = resources.all("AWS::ApiGatewayV2::Api");
  return Object.entries<Properties>(body.paths).map(([path, item]) => {
    const methods = Object.keys(item);
    if (methods.join() !== "x-amazon-apigateway-any-method") fail(`${path} is not for any method: ${methods}.`);
    return routeOf(path, item["x-amazon-apigateway-any-method"], resources);
  });
}

function routeOf(path: string, operation: Properties, resources: Resources): DeployedRoute {
  const integration = operation["x-amazon-apigateway-integration"];
  const { type, httpMethod, payloadFormatVersion, uri, credentials, timeoutInMillis } = integration;
  // API Gateway would refuse these, or send another event than the functions read.
  if (type !== "AWS_PROXY" || httpMethod !== "POST") fail(`${path} does not invoke a function.`);
  if (payloadFormatVersion !== "2.0") fail(`${path} has the payload format ${payloadFormatVersion}.`);
  // An imported API can have a smaller default.
  if (!timeoutInMillis) fail(`${path} does not state its timeout.`);
  const declared = (operation.parameters ?? []).map(({ name }: Properties) => name);
  const used = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (declared.join() !== used.join()) fail(`${path} declares the parameters ${declared}.`);
  const [, functionArn = fail(`${path} has no function.`)] =
    /:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/.exec(resources.resolved(uri)) ?? [];
  return {
    routeKey: operation.isDefaultRoute ? "$default" : `ANY ${path}`,
    segments: path.split("/"),
    functionArn,
    role: resources.roleOf(credentials, "apigateway.amazonaws.com"),
    timeoutMs: timeoutInMillis,
  };
}

/** The route of a path: that with the most equal segments, or the default route. */
export function matchOf(routes: readonly DeployedRoute[], path: string): Match | undefined {
  const segments = path.split("/");
  const matching = routes.filter((each) => each.routeKey !== "$default" && matches(each.segments, segments));
  const literals = (each: DeployedRoute) => each.segments.filter((name) => !name.startsWith("{")).length;
  const [best] = matching.toSorted((one, other) => literals(other) - literals(one));
  if (best) return { route: best, pathParameters: parametersOf(best.segments, segments) };
  const fallback = routes.find(({ routeKey }) => routeKey === "$default");
  return fallback && { route: fallback, pathParameters: undefined };
}

function matches(names: readonly string[], segments: readonly string[]): boolean {
  return (
    names.length === segments.length &&
    names.every((name, index) => (name.startsWith("{") ? segments[index] !== "" : name === segments[index]))
  );
}

function parametersOf(names: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const pairs = names.flatMap((name, index) => {
    return name.startsWith("{") ? [[name.slice(1, -1), decodeURIComponent(segments[index] ?? "")]] : [];
  });
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}
