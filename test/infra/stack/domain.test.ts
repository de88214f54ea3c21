import { App } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { expect, test } from "vitest";
import { fakes, notFound, purge } from "../../support/fake-functions.ts";
import { synth } from "../../support/synth.ts";

const certificateArn = "arn:aws:acm:eu-west-1:111122223333:certificate/0a1b";
const domain = { customDomain: "api.example.com", certificateArn };
const bodyOf = (settings: object) => synth(fakes, settings).all("AWS::ApiGatewayV2::Api")[0]?.[1].Body;

test("a domain leads to the stage, is the API's URL, and the outputs have the target of its DNS record", () => {
  const { all, idOf, stack, template } = synth(fakes, domain);
  expect(all("AWS::ApiGatewayV2::DomainName")).toMatchObject([
    [
      expect.anything(),
      {
        DomainName: "api.example.com",
        DomainNameConfigurations: [
          { CertificateArn: certificateArn, EndpointType: "REGIONAL", SecurityPolicy: "TLS_1_2" },
        ],
      },
    ],
  ]);
  expect(all("AWS::ApiGatewayV2::ApiMapping")[0]?.[1]).toEqual({
    ApiId: { Ref: idOf("AWS::ApiGatewayV2::Api") },
    DomainName: { Ref: idOf("AWS::ApiGatewayV2::DomainName") },
    Stage: { Ref: idOf("AWS::ApiGatewayV2::Stage") },
  });
  const { Outputs } = template.toJSON();
  const target = (attribute: string) => ({ "Fn::GetAtt": [idOf("AWS::ApiGatewayV2::DomainName"), attribute] });
  expect(Outputs).toMatchObject({
    ApiUrl: { Value: "https://api.example.com" },
    DomainTarget: { Value: target("RegionalDomainName") },
    DomainTargetZone: { Value: target("RegionalHostedZoneId") },
  });
  const report = new AwsSolutionsChecks(new App()).validateScope(stack);
  expect(report.violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources])).toEqual([]);
});

test("without a domain, nothing of it is in the stack", () => {
  const { all, template } = synth(fakes);
  expect([...all("AWS::ApiGatewayV2::DomainName"), ...all("AWS::ApiGatewayV2::ApiMapping")]).toEqual([]);
  expect(Object.keys(template.toJSON().Outputs)).not.toContain("DomainTarget");
});

test("the API's default endpoint is disabled on request only", () => {
  const endpoint = (disableExecuteApiEndpoint: boolean) => [
    { url: "/", "x-amazon-apigateway-endpoint-configuration": { disableExecuteApiEndpoint } },
  ];
  expect(bodyOf(domain).servers).toEqual(endpoint(false));
  expect(bodyOf({ ...domain, disableDefaultEndpoint: true }).servers).toEqual(endpoint(true));
});

test("endpoints know the hash of the front's secret, and workers do not", () => {
  const originSecretSha256 = "a".repeat(64);
  const { lambda } = synth(fakes, { originSecretSha256 });
  expect(lambda(notFound).Environment.Variables).toMatchObject({ ORIGIN_SECRET_SHA256: originSecretSha256 });
  expect(lambda(purge).Environment.Variables).not.toHaveProperty("ORIGIN_SECRET_SHA256");
});
