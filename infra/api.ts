// The plain resources rather than CDK's HttpApi: that adds a permission a function, and here one role invokes them all.
import { Validations } from "aws-cdk-lib";
import { CfnApi, CfnIntegration, CfnRoute, CfnStage } from "aws-cdk-lib/aws-apigatewayv2";
import { PolicyDocument, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Endpoint } from "../lib/http/endpoint.ts";
import { catchAllPath } from "./check.ts";
import { allow } from "./iam.ts";
import type { Settings } from "./settings.ts";

/** Neither headers nor bodies, and no path: it can carry an API key, the route cannot. */
const accessLog = {
  time: "$context.requestTimeEpoch",
  requestId: "$context.requestId",
  route: "$context.routeKey",
  status: "$context.status",
  error: "$context.error.message",
  integrationError: "$context.integrationErrorMessage",
  latencyMs: "$context.responseLatency",
  integrationLatencyMs: "$context.integrationLatency",
  responseBytes: "$context.responseLength",
};

export interface Target {
  endpoint: Endpoint;
  lambda: Lambda;
}

export class HttpApi extends Construct {
  readonly id: string;
  readonly url: string;

  constructor(scope: Construct, targets: readonly Target[], logs: ILogGroup, settings: Settings) {
    super(scope, "api");
    const api = new CfnApi(this, "http", { name: settings.stackName, protocolType: "HTTP" });
    const invoking = new Role(this, "invoking-role", {
      assumedBy: new ServicePrincipal("apigateway.amazonaws.com"),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [allow(["lambda:InvokeFunction"], ...targets.map(({ lambda }) => lambda.functionArn))],
        }),
      },
    });
    for (const target of targets) this.addRoute(api, invoking, target);
    new CfnStage(this, "stage", {
      apiId: api.ref,
      stageName: "$default",
      autoDeploy: true,
      accessLogSettings: { destinationArn: logs.logGroupArn, format: JSON.stringify(accessLog) },
      defaultRouteSettings: {
        throttlingRateLimit: settings.throttleRequestsPerSecond,
        throttlingBurstLimit: settings.throttleBurst,
      },
    });
    this.id = api.ref;
    this.url = api.attrApiEndpoint;
    Validations.of(this).acknowledge({
      id: "AwsSolutions-APIG4",
      reason:
        "Each function checks the workspace's API key and token itself: an authorizer could not answer in the envelope.",
    });
  }

  private addRoute(api: CfnApi, invoking: Role, { endpoint, lambda }: Target): void {
    const integration = new CfnIntegration(this, `${endpoint.name}-integration`, {
      apiId: api.ref,
      integrationType: "AWS_PROXY",
      integrationUri: lambda.functionArn,
      credentialsArn: invoking.roleArn,
      payloadFormatVersion: "2.0",
    });
    new CfnRoute(this, `${endpoint.name}-route`, {
      apiId: api.ref,
      // Any method: the function itself tells a caller who uses the wrong one which is right.
      routeKey: endpoint.path === catchAllPath ? "$default" : `ANY ${endpoint.path}`,
      target: `integrations/${integration.ref}`,
    });
  }
}
