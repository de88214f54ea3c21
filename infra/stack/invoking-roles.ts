// The roles with which API Gateway invokes the functions. A Lambda permission for each function would be a resource for
// each function.
import { PolicyDocument, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as Lambda } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { chunks } from "../../lib/concurrency.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { folderOf } from "../deployables.ts";
import { sectionOf } from "../openapi/groups.ts";
import { allow } from "./iam.ts";

export interface EndpointFunction {
  endpoint: Endpoint;
  lambda: Lambda;
}

/** An inline policy may have 10,240 characters, and the ARN of a function takes up to 123 of them. */
export const functionsPerRole = 60;

/**
 * Adds the roles. Returns a function that finds the role of an endpoint. Each section of endpoints has roles of its own,
 * so that a new endpoint does not move others to another role: until API Gateway has imported the move, their calls
 * would fail.
 */
export function invokingRoles(scope: Construct, targets: readonly EndpointFunction[]): (endpoint: Endpoint) => Role {
  const roles = new Map<Endpoint, Role>();
  for (const [section, members] of Map.groupBy(
    targets,
    ({ endpoint }) => sectionOf(folderOf(endpoint)) ?? "fallback",
  )) {
    for (const [index, together] of chunks(members, functionsPerRole).entries()) {
      const role = new Role(scope, `invoking-${section.toLowerCase().replaceAll(" ", "-")}-${index + 1}`, {
        assumedBy: new ServicePrincipal("apigateway.amazonaws.com"),
        inlinePolicies: {
          invoke: new PolicyDocument({
            statements: [allow(["lambda:InvokeFunction"], ...together.map(({ lambda }) => lambda.functionArn))],
          }),
        },
      });
      for (const { endpoint } of together) roles.set(endpoint, role);
    }
  }
  return (endpoint) => {
    const role = roles.get(endpoint);
    if (!role) throw new Error(`No role invokes ${endpoint.name}.`);
    return role;
  };
}
