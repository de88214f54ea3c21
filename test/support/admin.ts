// Runs the administration command in this process. A mocked stack `s` has outputs that name the engines of the tests.
import { Readable } from "node:stream";
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import { admin } from "../../infra/admin/program.ts";
import { requireFormat } from "../../lib/store/format.ts";

export const cloudFormation = mockClient(CloudFormationClient);

export function stackHas(outputs: Record<string, string>): void {
  const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  const stack = { StackName: "s", CreationTime: new Date(0), StackStatus: "CREATE_COMPLETE" as const, Outputs };
  cloudFormation.on(DescribeStacksCommand, { StackName: "s" }).resolves({ Stacks: [stack] });
}

/**
 * Mocks the stack for each test of the file, on a table with a format number, and restores the environment after it.
 */
export function mockStack(): void {
  const { TABLE_NAME = "", KMS_KEY_ID = "" } = process.env;
  beforeAll(() => requireFormat());
  beforeEach(() => {
    cloudFormation.reset();
    stackHas({ ApiUrl: "https://api.example.com", TableName: TABLE_NAME, KeyId: KMS_KEY_ID });
  });
  afterEach(() => {
    Object.assign(process.env, { TABLE_NAME, KMS_KEY_ID, CELL: "" });
  });
}

export async function run(args: readonly string[], stdin: Readable = Readable.from([])) {
  const output = { stdout: "", stderr: "" };
  const print = (text: string) => {
    output.stdout += text;
  };
  const printError = (text: string) => {
    output.stderr += text;
  };
  const status = await admin([...args], { stdin, print, printError });
  return { status, ...output };
}

/** Runs the command on the stack. Returns its output as JSON. */
export async function onStack(args: readonly string[], stdin?: Readable) {
  const { status, stdout, stderr } = await run([...args, "--stack", "s", "--json"], stdin);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout);
}

/** Runs a command that fails. Returns its one line of error output. */
export async function errorLine(args: readonly string[], stdin?: Readable): Promise<string> {
  const { status, stdout, stderr } = await run(args, stdin);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr;
}
