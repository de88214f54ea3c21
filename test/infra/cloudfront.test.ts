import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { CachePolicy, OriginRequestPolicy } from "aws-cdk-lib/aws-cloudfront";
import { CfnInclude } from "aws-cdk-lib/cloudformation-include";
import { expect, test } from "vitest";
import { originSecretHeader } from "../../lib/http/request.ts";
import { root } from "../support/sources.ts";

/** infra/examples/front.yaml, read as CDK reads one: with known resources and properties only. */
function example(): Template {
  const folder = mkdtempSync(join(tmpdir(), "front-"));
  try {
    const templateFile = join(root, "infra/examples/front.yaml");
    const stack = new Stack(new App({ outdir: join(folder, "cdk.out") }), "front");
    new CfnInclude(stack, "front", { templateFile });
    return Template.fromStack(stack);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the example sends each call to the API with the secret header, behind a web ACL, and caches nothing", () => {
  const template = example();
  template.hasResourceProperties("AWS::WAFv2::WebACL", { Scope: "CLOUDFRONT" });
  const [distribution] = Object.values(template.findResources("AWS::CloudFront::Distribution"));
  const { DistributionConfig: config } = distribution?.Properties ?? {};
  expect(config.WebACLId).toEqual({ "Fn::GetAtt": "WebAcl.Arn" });
  expect(config.Origins).toHaveLength(1);
  expect(config.Origins[0].OriginCustomHeaders).toEqual([
    { HeaderName: originSecretHeader, HeaderValue: expect.anything() },
  ]);
  expect(JSON.stringify(config.Origins[0].OriginCustomHeaders)).toContain("{{resolve:secretsmanager:");
  expect(config.DefaultCacheBehavior).toMatchObject({
    ViewerProtocolPolicy: "https-only",
    CachePolicyId: CachePolicy.CACHING_DISABLED.cachePolicyId,
    OriginRequestPolicyId: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER.originRequestPolicyId,
  });
});
