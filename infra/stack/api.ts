// CDK's HttpApi adds a route, an integration and a permission for each function. These plain resources are few for any
// number of functions. There is no authorizer: each function verifies the workspace's API key and token, because an
// authorizer cannot return the error envelope.
import { CfnOutput, Stack } from "aws-cdk-lib";
import { CfnApi, CfnApiMapping, CfnDomainName, CfnStage } from "aws-cdk-lib/aws-apigatewayv2";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { apiBody } from "./api-body.ts";
import { type EndpointFunction, invokingRoles } from "./invoking-roles.ts";
import type { Settings } from "./settings.ts";

const quotedByGateway = "$context.error.messageString";

/** Excludes headers, bodies and the path, because a path can contain an API key. The route cannot. */
const accessLog = {
  time: "$context.requestTimeEpoch",
  correlation_id: "$context.requestId",
  function_request_id: "$context.integration.requestId",
  route: "$context.routeKey",
  status: "$context.status",
  // Quoted by API Gateway, since the message can have quotation marks.
  error: quotedByGateway,
  integrationError: "$context.integrationErrorMessage",
  latencyMs: "$context.responseLatency",
  integrationLatencyMs: "$context.integrationLatency",
  responseBytes: "$context.responseLength",
};

const accessLogFormat = JSON.stringify(accessLog).replace(`"${quotedByGateway}"`, quotedByGateway);

export class HttpApi extends Construct {
  readonly id: string;
  readonly url: string;

  constructor(scope: Construct, targets: readonly EndpointFunction[], logs: ILogGroup, settings: Settings) {
    super(scope, "api");
    const { partition, region } = Stack.of(this);
    const roleOf = invokingRoles(this, targets);
    const routes = targets.map(({ endpoint, lambda }) => ({
      path: endpoint.path,
      uri: `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${lambda.functionArn}/invocations`,
      credentials: roleOf(endpoint).roleArn,
    }));
    // In the template and not in a file of S3, because only a template can refer to the functions and roles. A template
    // has at most 1 MB, and a route takes 1 KB of it.
    const api = new CfnApi(this, "http", {
      body: apiBody({
        title: settings.stackName,
        routes,
        isDefaultEndpointDisabled: settings.disableDefaultEndpoint,
      }),
    });
    // The stage is created after all routes, and deployed again after each import of them.
    const stage = new CfnStage(this, "stage", {
      apiId: api.ref,
      stageName: "$default",
      autoDeploy: true,
      accessLogSettings: { destinationArn: logs.logGroupArn, format: accessLogFormat },
      defaultRouteSettings: {
        throttlingRateLimit: settings.throttleRequestsPerSecond,
        throttlingBurstLimit: settings.throttleBurst,
      },
    });
    this.id = api.ref;
    this.url = settings.customDomain ? `https://${settings.customDomain}` : api.attrApiEndpoint;
    if (settings.customDomain) addDomain(this, api.ref, stage, settings);
  }
}

/**
 * A domain of the operator for the API. The operator adds the DNS record: the domain's zone can be anywhere. The outputs name the target of the record: a CNAME, or an alias of Route 53 with the
 * target's zone.
 */
function addDomain(scope: Construct, apiId: string, stage: CfnStage, settings: Settings): void {
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
