// CDK's HttpApi adds one Lambda permission for each function. These plain resources use one role for all functions.
import { Validations } from "aws-cdk-lib";
import { CfnApi, CfnIntegration, CfnRoute, CfnStage } from "aws-cdk-lib/aws-apigatewayv2";
import { PolicyDocument, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Endpoint } from "../lib/http/endpoint.ts";
import { catchAllPath, routePath } from "./deployables.ts";
import { allow } from "./iam.ts";
import type { Settings } from "./settings.ts";

/** Excludes headers, bodies and the path, because a path can contain an API key. The route cannot. */
const accessLog = {
  time: "$context.requestTimeEpoch",
  correlation_id: "$context.requestId",
  function_request_id: "$context.integration.requestId",
  route: "$context.routeKey",
  status: "$context.status",
  error: "$context.error.message",
  integrationError: "$context.integrationErrorMessage",
  latencyMs: "$context.responseLatency",
  integrationLatencyMs: "$context.integrationLatency",
  responseBytes: "$context.responseLength",
};

export interface EndpointFunction {
  endpoint: Endpoint;
  lambda: Lambda;
}

export class HttpApi extends Construct {
  readonly id: string;
  readonly url: string;

  constructor(scope: Construct, targets: readonly EndpointFunction[], logs: ILogGroup, settings: Settings) {
    super(scope, "api");
    const api = new CfnApi(this, "http", { name: settings.stackName, protocolType: "HTTP" });
    const invokerRole = new Role(this, "invoking-role", {
      assumedBy: new ServicePrincipal("apigateway.amazonaws.com"),
      inlinePolicies: {
        invoke: new PolicyDocument({
          statements: [allow(["lambda:InvokeFunction"], ...targets.map(({ lambda }) => lambda.functionArn))],
        }),
      },
    });
    for (const target of targets) this.addRoute(api, invokerRole, target);
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
        "Each function verifies the workspace's API key and token, because an authorizer cannot return the error envelope.",
    });
  }

  private addRoute(api: CfnApi, invokerRole: Role, { endpoint, lambda }: EndpointFunction): void {
    const integration = new CfnIntegration(this, `${endpoint.name}-integration`, {
      apiId: api.ref,
      integrationType: "AWS_PROXY",
      integrationUri: lambda.functionArn,
      credentialsArn: invokerRole.roleArn,
      payloadFormatVersion: "2.0",
    });
    new CfnRoute(this, `${endpoint.name}-route`, {
      apiId: api.ref,
      // Any method: for a wrong method, the function itself returns an error that names the right one.
      routeKey: endpoint.path === catchAllPath ? "$default" : `ANY ${routePath(endpoint.path)}`,
      target: `integrations/${integration.ref}`,
    });
  }
}
