// A domain of the operator for the API. The operator adds the DNS record: the domain's zone can be anywhere.
import { CfnOutput } from "aws-cdk-lib";
import { CfnApiMapping, CfnDomainName, type CfnStage } from "aws-cdk-lib/aws-apigatewayv2";
import type { Construct } from "constructs";
import type { Settings } from "./settings.ts";

/** The outputs name the target of the record: a CNAME, or an alias of Route 53 with the target's zone. */
export function addDomain(scope: Construct, apiId: string, stage: CfnStage, settings: Settings): void {
  const { customDomain, certificateArn } = settings;
  const domain = new CfnDomainName(scope, "domain", {
    domainName: customDomain,
    domainNameConfigurations: [{ certificateArn, endpointType: "REGIONAL", securityPolicy: "TLS_1_2" }],
  });
  new CfnApiMapping(scope, "domain-mapping", { apiId, domainName: domain.ref, stage: stage.ref });
  const output = (name: string, value: string) => new CfnOutput(scope, name, { value }).overrideLogicalId(name);
  output("DomainTarget", domain.attrRegionalDomainName);
  output("DomainTargetZone", domain.attrRegionalHostedZoneId);
}
