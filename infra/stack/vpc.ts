// The VPC of the functions that call addresses which a workspace sets (`callsOut`). All other functions stay outside: they
// need no address of their own, and no NAT gateway that could fail.
import { Stack, Validations } from "aws-cdk-lib";
import { Effect, PolicyStatement, type Role } from "aws-cdk-lib/aws-iam";
import type { CfnFunction, Function as Lambda } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { Deployable } from "../deployables.ts";
import { allow } from "./iam.ts";
import type { Settings } from "./settings.ts";

export function isInVpc({ callsOut }: Deployable, { vpcSubnetIds }: Settings): boolean {
  return callsOut && vpcSubnetIds !== "";
}

/**
 * Whether Lambda uses the function's role to make or delete network interfaces. Lambda deletes the interfaces some time
 * after the function has left the VPC. Without the permissions, the interfaces stay and block the deletion of the subnets
 * and the security groups.
 */
export function usesNetwork(each: Deployable, settings: Settings): boolean {
  return isInVpc(each, settings) || (each.callsOut && settings.leavingVpc);
}

/** A subnet must have IPv6 addresses if a range of `egressAllowCidrs` does. */
export function placeInVpc(lambda: Lambda, settings: Settings): void {
  (lambda.node.defaultChild as CfnFunction).vpcConfig = {
    subnetIds: settings.vpcSubnetIds.split(","),
    securityGroupIds: settings.vpcSecurityGroupIds.split(","),
    ipv6AllowedForDualStack: settings.egressAllowCidrs.includes(":"),
  };
}

/** The role has `networkStatements`. */
export function acknowledgeNetwork(role: Role): void {
  const reason = "Lambda makes network interfaces whose ids are not known before, and the function's code may not.";
  Validations.of(role).acknowledge({ id: "AwsSolutions-IAM5[Resource::*]", reason });
}

/**
 * Lambda makes the network interfaces with the role of the function. The code of a function may not: Lambda sets
 * `lambda:SourceFunctionArn` on its requests only.
 */
export function networkStatements(scope: Construct): PolicyStatement[] {
  const actions = [
    ...["CreateNetworkInterface", "DeleteNetworkInterface", "DescribeNetworkInterfaces", "DescribeSubnets"],
    ...["AssignPrivateIpAddresses", "UnassignPrivateIpAddresses"],
  ].map((action) => `ec2:${action}`);
  const { partition, region, account } = Stack.of(scope);
  const byCode = new PolicyStatement({
    effect: Effect.DENY,
    actions,
    resources: ["*"],
    conditions: { ArnLike: { "lambda:SourceFunctionArn": `arn:${partition}:lambda:${region}:${account}:function:*` } },
  });
  return [allow(actions, "*"), byCode];
}
