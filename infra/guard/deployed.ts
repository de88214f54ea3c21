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

/** A stack that has only a name: the first deployment has not begun, or it was deleted. */
const absentStates = new Set(["REVIEW_IN_PROGRESS", "DELETE_COMPLETE"]);

export async function deployedStack(StackName: string): Promise<Deployed> {
  const client = new CloudFormationClient({});
  try {
    const region = await client.config.region();
    const found = await client.send(new DescribeStacksCommand({ StackName })).catch((thrown: Error) => {
      if (thrown.name === "ValidationError" && /does not exist/.test(thrown.message)) return { Stacks: [] };
      throw thrown;
    });
    const [stack] = found.Stacks ?? [];
    if (!stack || absentStates.has(stack.StackStatus ?? "")) return { region, template: undefined, physicalIds: {} };
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
