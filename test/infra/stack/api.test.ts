import { describe, expect, test } from "vitest";
import { apiBody } from "../../../infra/stack/api-body.ts";
import { fakeEndpoint, fakes, notFound } from "../../support/fake-functions.ts";
import { synth } from "../../support/synth.ts";

describe("the API", () => {
  const { all, arn, idOf } = synth(fakes);
  const [[, api] = []] = all("AWS::ApiGatewayV2::Api");
  const routes = api.Body.paths;
  const operations = Object.values<Record<string, object>>(routes).map(
    (item) => item["x-amazon-apigateway-any-method"],
  );

  test("has a route for any method and version of each endpoint, and one to the fallback for unknown paths", () => {
    expect(Object.keys(routes).sort()).toEqual([
      "/$default",
      "/{version}/documents-delete",
      "/{version}/token-generate",
    ]);
    for (const item of Object.values<object>(routes))
      expect(Object.keys(item)).toEqual(["x-amazon-apigateway-any-method"]);
    expect(operations.map((each) => Object(each).isDefaultRoute)).toEqual([undefined, undefined, true]);
  });

  test("invokes the function of each endpoint, with events of format 2.0, as a role that may", () => {
    const integrations = operations.map((each) => Object(each)["x-amazon-apigateway-integration"]);
    const functions = ["documentsdelete", "tokengenerate", "notfound"].map((id) => arn("AWS::Lambda::Function", id));
    const roles = ["content", "peopleandaccess", "fallback"].map((section) => `apiinvoking${section}`);
    for (const [index, { uri, credentials, ...rest }] of integrations.entries()) {
      expect(rest).toEqual({
        type: "AWS_PROXY",
        httpMethod: "POST",
        payloadFormatVersion: "2.0",
        connectionType: "INTERNET",
        timeoutInMillis: 30_000,
      });
      const address = ["arn:", { Ref: "AWS::Partition" }, ":apigateway:", { Ref: "AWS::Region" }];
      const path = [":lambda:path/2015-03-31/functions/", functions[index], "/invocations"];
      expect(uri).toEqual({ "Fn::Join": ["", [...address, ...path]] });
      expect(credentials).toEqual(arn("AWS::IAM::Role", roles[index] ?? ""));
      const [, role] = all("AWS::IAM::Role").find(([id]) => id.startsWith(roles[index] ?? "")) ?? [];
      expect(role.Policies[0].PolicyDocument.Statement).toEqual([
        { Effect: "Allow", Action: "lambda:InvokeFunction", Resource: functions[index] },
      ]);
    }
  });

  test("leaves CORS to the functions: with rules of its own, it would answer preflights, and drop their headers", () => {
    expect(api).not.toHaveProperty("CorsConfiguration");
    expect(JSON.stringify(api.Body)).not.toMatch(/x-amazon-apigateway-(?:cors|authorizer)|"security"/);
  });

  test("has its routes before its stage, so that the first deployment has all of them", () => {
    const [[, stage] = []] = all("AWS::ApiGatewayV2::Stage");
    expect(stage.ApiId).toEqual({ Ref: idOf("AWS::ApiGatewayV2::Api") });
    for (const kind of ["Route", "Integration", "Deployment"]) expect(all(`AWS::ApiGatewayV2::${kind}`)).toEqual([]);
  });

  test("declares the parameters of a path, as OpenAPI demands", () => {
    const route = { path: "/.well-known/jwks/{apiKey}", uri: "uri", credentials: "role" };
    expect(apiBody({ title: "it", routes: [route] })).toMatchObject({
      info: { title: "it" },
      paths: {
        "/.well-known/jwks/{apiKey}": {
          "x-amazon-apigateway-any-method": {
            parameters: [{ name: "apiKey", in: "path", required: true, schema: { type: "string" } }],
          },
        },
      },
    });
  });
});

test("a new endpoint moves no endpoint of another section to another role", () => {
  const more = (count: number) => Array.from({ length: count }, (_, index) => fakeEndpoint({ name: `e${index}` }));
  const content = fakeEndpoint({ name: "folders-get" });
  const roleOf = (count: number) => {
    const [[, api] = []] = synth([...more(count), content, notFound]).all("AWS::ApiGatewayV2::Api");
    const { credentials } =
      api.Body.paths["/{version}/folders-get"]["x-amazon-apigateway-any-method"]["x-amazon-apigateway-integration"];
    return credentials;
  };
  expect(roleOf(61)).toEqual(roleOf(1));
});
