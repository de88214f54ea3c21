import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { describe, expect, test } from "vitest";
import { cloudFormation, created, deployed, mockGuard, own, passed, place, runGuard } from "../../support/guard.ts";

mockGuard();

describe("the guard", () => {
  test("lets pass the deployed template, and a first deployment that is called one", async () => {
    expect(await runGuard({ s: own })).toEqual(passed);
    deployed(undefined);
    expect(await runGuard({ s: own }, "--first")).toEqual(created);
    deployed(own, "ROLLBACK_COMPLETE");
    expect(await runGuard({ s: own }, "--first")).toEqual(created);
  });

  test("refuses to compare with nothing: another region, account or name has no such stack", async () => {
    deployed(undefined);
    const { status, stderr } = await runGuard({ s: own });
    expect(status).toBe(1);
    expect(stderr).toContain("There is no stack s in us-east-1 that has ever worked. Check the name, the region");
    deployed(own);
    expect(await runGuard({ s: own }, "--first")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`The stack s exists in ${place}. Leave out --first.`),
    });
  });

  test.each([
    ["UPDATE_IN_PROGRESS", "Wait until the operation has ended."],
    ["UPDATE_ROLLBACK_IN_PROGRESS", "Wait until the operation has ended."],
    ["UPDATE_ROLLBACK_FAILED", "Run: aws cloudformation continue-update-rollback --stack-name s"],
    ["UPDATE_FAILED", "Run: aws cloudformation rollback-stack --stack-name s"],
    ["DELETE_FAILED", "End its deletion."],
  ] as const)("refuses a stack that is %s: its resources are not those of its template", async (state, advice) => {
    deployed(own, state);
    const { status, stderr } = await runGuard({ s: own });
    expect(status).toBe(1);
    expect(stderr).toContain(`The stack s is ${state}. ${advice}`);
  });

  test("refuses a template that drops the table, and says why", async () => {
    const next = structuredClone(own);
    const [id = ""] = Object.entries(own.Resources).find(([, { Type }]) => Type === "AWS::DynamoDB::GlobalTable") ?? [];
    delete next.Resources[id];
    const { status, stdout, stderr } = await runGuard({ s: next });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe(
      `Do not deploy the stack s:\n- The table ${id} leaves the template. To use another one, set existingTableName.\n`,
    );
  });

  test("refuses what it cannot check", async () => {
    cloudFormation.on(DescribeStacksCommand).rejects(new Error("no credentials"));
    expect(await runGuard({ s: own })).toMatchObject({ status: 1, stderr: expect.stringContaining("no credentials") });
  });

  test("needs the name of a stack if there are several", async () => {
    const { status, stderr } = await runGuard({ s: own, t: own });
    expect(status).toBe(1);
    expect(stderr).toContain("has the stacks s, t. Name one of them with --stack.");
    expect(await runGuard({ s: own, t: own }, "--stack", "s")).toEqual(passed);
  });
});
