// Which route of the template's API serves a path, and what of it the rehearsal refuses, as API Gateway would.
import { describe, expect, it } from "vitest";
import { apiBody } from "../../../infra/stack/api-body.ts";
import { resourcesOf, type Template } from "./resources.ts";
import { type DeployedRoute, matchOf, routesOf } from "./routes.ts";

const role = {
  AssumeRolePolicyDocument: {
    Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { Service: "apigateway.amazonaws.com" } }],
  },
  Policies: [{ PolicyDocument: { Statement: [{ Effect: "Allow", Action: "lambda:InvokeFunction", Resource: "f" }] } }],
};

const uri = (name: string) => `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${name}/invocations`;
const paths = ["/v2/users/get", "/.well-known/jwks/{apiKey}", "/{proxy+}"];

/** The routes of an API. `change` may spoil its body and its role. */
function routes(
  change: (body: Record<string, never>, role: Record<string, never>) => void = () => {},
): DeployedRoute[] {
  const credentials = { "Fn::GetAtt": ["role", "Arn"] } as unknown as string;
  const written = apiBody({ title: "t", routes: paths.map((path) => ({ path, uri: uri(path), credentials })) });
  const [Body, own] = structuredClone([written, role]) as unknown as [Record<string, never>, Record<string, never>];
  change(Body, own);
  const template: Template = {
    api: { Type: "AWS::ApiGatewayV2::Api", Properties: { Body } },
    role: { Type: "AWS::IAM::Role", Properties: own },
  };
  return routesOf(resourcesOf(template, (kind) => kind));
}

describe("a path", () => {
  const found = (path: string) => {
    const { route, pathParameters } = matchOf(routes(), path) ?? {};
    return [route?.routeKey, route?.functionArn, pathParameters];
  };

  it("goes to its route, with the parameters of the route decoded", () => {
    expect(found("/v1/users/get")).toEqual(["ANY /{version}/users/get", "/v2/users/get", { version: "v1" }]);
    expect(found("/.well-known/jwks/a%2Fb")).toEqual([
      "ANY /.well-known/jwks/{apiKey}",
      "/.well-known/jwks/{apiKey}",
      { apiKey: "a/b" },
    ]);
  });

  it("goes to the default route if no other one matches", () => {
    for (const path of ["/no/such/path", "/v2/users", "/v2/users/get/more", "//users/get", "/"]) {
      expect(found(path)).toEqual(["$default", "/{proxy+}", undefined]);
    }
  });
});

describe("a route is refused", () => {
  const at = "/{version}/users/get";
  // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
  const operation = (body: any) => body.paths[at]["x-amazon-apigateway-any-method"];
  // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
  const integration = (body: any) => operation(body)["x-amazon-apigateway-integration"];

  it("with another payload format than the functions read", () => {
    expect(() => routes((body) => Object.assign(integration(body), { payloadFormatVersion: "1.0" }))).toThrow("1.0");
  });

  it("without a timeout of its own", () => {
    expect(() => routes((body) => Object.assign(integration(body), { timeoutInMillis: undefined }))).toThrow("timeout");
  });

  it("with a path parameter that it does not declare", () => {
    expect(() => routes((body) => Object.assign(operation(body), { parameters: [] }))).toThrow(at);
  });

  it("with a role that API Gateway may not take", () => {
    const change = (_: object, own: typeof role) =>
      Object.assign(own.AssumeRolePolicyDocument.Statement[0] ?? {}, {
        Principal: { Service: "lambda.amazonaws.com" },
      });
    expect(() => routes(change as never)).toThrow("apigateway.amazonaws.com may not take the role");
  });
});

describe("a reference of the template", () => {
  const { resolved } = resourcesOf({ t: { Type: "AWS::SNS::Topic", Properties: {} } }, (kind) => `https://${kind}`);

  it("is resolved, in any depth", () => {
    expect(resolved({ a: [{ "Fn::Join": ["-", ["a", { Ref: "AWS::Region" }]] }] })).toEqual({ a: ["a-us-east-1"] });
  });

  it.each([
    [{ Ref: "t" }],
    [{ "Fn::GetAtt": ["t", "Arn"] }],
    [{ "Fn::GetAtt": ["t", "Name"] }],
    [{ "Fn::Select": [] }],
  ])("fails if its value is not known: %j", (reference) => {
    expect(() => resolved({ a: reference })).toThrow("know");
  });
});
