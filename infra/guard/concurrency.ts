// Whether the account can run workers and calls at the same time. They share the concurrent executions of the account. A
// new account can have 10 executions. SQS gives each worker at least 2, so the workers alone can use all 10.
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import type { Template } from "./template.ts";

/** Executions that the workers must leave for calls. Each call takes one while it runs. */
const leftForCalls = 20;

/** AWS's default for an account that is not new. It is also the most that SQS takes as a maximum. */
const usualLimit = 1_000;

/** Returns a sentence when busy workers could take executions that calls need. */
export async function concurrencyProblems(next: Template): Promise<string[]> {
  const ofWorkers = workerConcurrency(next);
  const needed = ofWorkers + leftForCalls;
  const client = new LambdaClient({});
  try {
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
    const { ConcurrentExecutions = 0, UnreservedConcurrentExecutions = ConcurrentExecutions } = AccountLimit ?? {};
    const limit = Math.min(ConcurrentExecutions, UnreservedConcurrentExecutions);
    if (limit >= needed) return [];
    const desired = Math.max(ConcurrentExecutions + needed - limit, usualLimit);
    return [
      `The account can run ${limit} functions at once in this region, without those that it reserves. The workers take up to ${ofWorkers}, and calls need ${leftForCalls} more: else calls get 503 while the workers are busy. Run: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${desired}. To deploy all the same, add --few-executions.`,
    ];
  } catch (thrown) {
    const { name, message } = thrown as Error;
    return [`The account's concurrent executions cannot be read: ${name}: ${message}`];
  } finally {
    client.destroy();
  }
}

function workerConcurrency({ Resources }: Template): number {
  const mappings = Object.values(Resources).filter(({ Type }) => Type === "AWS::Lambda::EventSourceMapping");
  return mappings.reduce((sum, { Properties = {} }) => {
    const { ScalingConfig } = Properties as { ScalingConfig?: { MaximumConcurrency?: number } };
    return sum + (ScalingConfig?.MaximumConcurrency ?? usualLimit);
  }, 0);
}
