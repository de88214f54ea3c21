// The routes of the HTTP API as one OpenAPI document. API Gateway imports it as a whole, so a stage never has only some
// of the routes, and the stack needs no resources for each endpoint. It describes routes only: `npm run openapi` is the
// document for clients.
import { catchAllPath, routePath } from "../deployables.ts";

export interface ApiRoute {
  /** The path of the endpoint. */
  path: string;
  /** The address at which API Gateway invokes the function. */
  uri: string;
  /** The ARN of the role that invokes it. */
  credentials: string;
}

interface ApiBody {
  /** Shown as the name of the API. */
  title: string;
  routes: readonly ApiRoute[];
  /** Whether only a custom domain leads to the API. */
  isDefaultEndpointDisabled?: boolean;
}

/** The most that API Gateway waits for a function. Stated, because an imported API can have a smaller default. */
const integrationTimeoutMs = 30_000;

/** API Gateway takes OpenAPI 3.0. A request without a matching route goes to the endpoint with `catchAllPath`. */
export function apiBody({ title, routes, isDefaultEndpointDisabled = false }: ApiBody): object {
  return {
    openapi: "3.0.1",
    info: { title, version: "1" },
    // For an imported API, CloudFormation ignores its own property for this. Also stated when it is false, so that a new
    // import enables the address again.
    servers: [
      {
        url: "/",
        "x-amazon-apigateway-endpoint-configuration": { disableExecuteApiEndpoint: isDefaultEndpointDisabled },
      },
    ],
    paths: Object.fromEntries(routes.map(pathEntry)),
  };
}

function pathEntry({ path, uri, credentials }: ApiRoute): [path: string, item: object] {
  const isDefaultRoute = path === catchAllPath;
  const route = isDefaultRoute ? "/$default" : routePath(path);
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const parameters = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const operation = {
    ...(isDefaultRoute && { isDefaultRoute }),
    ...(parameters.length > 0 && { parameters }),
    responses: { default: { description: "The reply of the function." } },
    "x-amazon-apigateway-integration": {
      type: "AWS_PROXY",
      httpMethod: "POST",
      payloadFormatVersion: "2.0",
      connectionType: "INTERNET",
      timeoutInMillis: integrationTimeoutMs,
      uri,
      credentials,
    },
  };
  // Any method: for a wrong method, the function itself returns an error that names the right one.
  return [route, { "x-amazon-apigateway-any-method": operation }];
}
