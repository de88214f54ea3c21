import { App } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { expect, test } from "vitest";
import { deployables, sourceOf } from "../../../infra/deployables.ts";
import { worker } from "../../../lib/jobs/worker.ts";
import { fakeEndpoint, notFound } from "../../support/fake-functions.ts";
import { sources } from "../../support/sources.ts";
import { synth } from "../../support/synth.ts";

const caller = fakeEndpoint({ name: "caller", callsOut: true });
const drain = worker({
  name: "drain",
  jobs: "drain",
  summary: "Call out.",
  grants: [],
  callsOut: true,
  run: async () => "done",
});
const fakes = [caller, drain, notFound];
const vpc = { vpcSubnetIds: "subnet-0a1b2c3d,subnet-0a1b2c3d4e5f60718", vpcSecurityGroupIds: "sg-0a1b2c3d" };

test("without a VPC, no function is in one", () => {
  const { lambda, allowed } = synth(fakes);
  for (const each of fakes) {
    expect(lambda(each).VpcConfig).toBeUndefined();
    expect(JSON.stringify(allowed(each))).not.toContain("ec2:");
  }
});

test("with a VPC, exactly the functions that call out are in its subnets", () => {
  const { lambda } = synth(fakes, { ...vpc, egressAllowCidrs: "10.0.0.0/8" });
  const config = {
    SubnetIds: ["subnet-0a1b2c3d", "subnet-0a1b2c3d4e5f60718"],
    SecurityGroupIds: ["sg-0a1b2c3d"],
    Ipv6AllowedForDualStack: false,
  };
  for (const each of [caller, drain]) {
    expect(lambda(each).VpcConfig).toEqual(config);
    expect(lambda(each).Environment.Variables).toMatchObject({ EGRESS_ALLOW_CIDRS: "10.0.0.0/8" });
  }
  expect(lambda(notFound).VpcConfig).toBeUndefined();
});

test("a range of IPv6 lets the functions use it", () => {
  const { lambda } = synth(fakes, { ...vpc, egressAllowCidrs: "10.0.0.0/8,fd00::/8" });
  expect(lambda(caller).VpcConfig.Ipv6AllowedForDualStack).toBe(true);
});

test("Lambda may make the network interfaces of these functions, and their code may not", () => {
  const { allowed, stack } = synth(fakes, vpc);
  const network = allowed(caller).filter(({ Action }) => String(Action).includes("ec2:"));
  const Action = expect.arrayContaining(["ec2:CreateNetworkInterface", "ec2:DeleteNetworkInterface"]);
  const isFromCode = { ArnLike: { "lambda:SourceFunctionArn": expect.anything() } };
  expect(network).toEqual([
    { Effect: "Allow", Action, Resource: "*" },
    { Effect: "Deny", Action, Resource: "*", Condition: isFromCode },
  ]);
  expect(JSON.stringify(allowed(notFound))).not.toContain("ec2:");
  const report = new AwsSolutionsChecks(new App()).validateScope(stack);
  expect(report.violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources])).toEqual([]);
});

test("functions that leave the VPC are outside, and Lambda may still delete their network interfaces", () => {
  const { lambda, allowed, stack } = synth(fakes, { leavingVpc: true });
  const inside = synth(fakes, vpc);
  for (const each of [caller, drain]) {
    expect(lambda(each).VpcConfig).toBeUndefined();
    expect(allowed(each)).toEqual(inside.allowed(each));
  }
  expect(JSON.stringify(allowed(notFound))).not.toContain("ec2:");
  const report = new AwsSolutionsChecks(new App()).validateScope(stack);
  expect(report.violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources])).toEqual([]);
});

/** It only makes the job of the worker that calls out, whose file it imports. */
const makesJobOnly = ["functions/notifications/notifications-add.ts"];

test("a function declares `callsOut` if its source leads to an outbound request, and only then", () => {
  const importsOf = new Map(sources("functions", "lib").map(({ file, imports }) => [file, imports]));
  const leadsOut = (file: string, visited = new Set<string>()): boolean => {
    if (file === "lib/net/send.ts") return true;
    if (visited.has(file)) return false;
    visited.add(file);
    return (importsOf.get(file) ?? []).some((next) => leadsOut(next, visited));
  };
  const files = deployables.map(sourceOf);
  const leading = files.filter((file) => leadsOut(file) && !makesJobOnly.includes(file));
  const declared = deployables.filter(({ callsOut }) => callsOut).map(sourceOf);
  expect(declared.sort()).toEqual(leading.sort());
});
