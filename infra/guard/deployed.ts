// Reads what is deployed under the name of a stack.
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from "@aws-sdk/client-cloudformation";
import type { Place } from "./adopted.ts";
import type { Template } from "./template.ts";

export interface Deployed extends Place {
  /** Undefined when no stack has this name yet. */
  template: Template | undefined;
  physicalIds: Record<string, string>;
}

/** A stack that has never worked: its creation has not begun, or has failed. */
const absentStates = new Set(["REVIEW_IN_PROGRESS", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED"]);
/** In other states, the resources can differ from the template. */
const stableStates = /^(?:CREATE|UPDATE|UPDATE_ROLLBACK|IMPORT|IMPORT_ROLLBACK)_COMPLETE$/;

export async function deployedStack(StackName: string): Promise<Deployed> {
  const client = new CloudFormationClient({});
  try {
    const region = await client.config.region();
    const found = await client.send(new DescribeStacksCommand({ StackName })).catch((thrown: Error) => {
      if (thrown.name === "ValidationError" && /does not exist/.test(thrown.message)) return { Stacks: [] };
      throw thrown;
    });
    const [stack] = found.Stacks ?? [];
    const state = stack?.StackStatus ?? "";
    if (!stack || absentStates.has(state)) return { region, template: undefined, physicalIds: {} };
    if (!stableStates.test(state))
      throw new Error(`The stack ${StackName} is ${state}. ${adviceFor(state, StackName)}`);
    const { TemplateBody = "" } = await client.send(new GetTemplateCommand({ StackName }));
    const physicalIds: Record<string, string> = {};
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
      for (const { LogicalResourceId, PhysicalResourceId } of StackResourceSummaries) {
        if (LogicalResourceId && PhysicalResourceId) physicalIds[LogicalResourceId] = PhysicalResourceId;
      }
    }
    return { region, account: stack.StackId?.split(":")[4], template: JSON.parse(TemplateBody), physicalIds };
  } finally {
    client.destroy();
  }
}

function adviceFor(state: string, name: string): string {
  const run = (command: string) => `Run: aws cloudformation ${command} --stack-name ${name}`;
  if (state.endsWith("_IN_PROGRESS")) return "Wait until the operation has ended.";
  if (state === "UPDATE_FAILED") return run("rollback-stack");
  if (state === "UPDATE_ROLLBACK_FAILED") return run("continue-update-rollback");
  return "End its deletion. Then a new stack can adopt what it has left: infra/RESTORE.md#the-stack-is-gone.";
}
