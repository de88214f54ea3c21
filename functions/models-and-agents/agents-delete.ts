import * as z from "zod/mini";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { byId, done, ItemResult } from "../../lib/schema/item-result.ts";
import { distinct, ids } from "../../lib/schema/primitives.ts";
import * as AgentStore from "../../lib/store/ai/agent.ts";

export const agentsDelete = endpoint({
  name: "agents-delete",
  path: "/v2/agents/delete",
  summary: "Delete agents",
  description: "Delete agents. An unknown agent is no error.",
  grants: ["table:read", "table:batch"],
  data: z.object({ agentIds: ids().check(z.describe("The agents to delete. An unknown one is no error.")) }),
  reply: z.record(z.string(), ItemResult),
  timeoutSeconds: 25,
  message: "Agents deleted.",

  async handle({ data, caller }) {
    const agentIds = distinct(data.agentIds);
    const removed = await AgentStore.removeMany(caller.ref, agentIds);
    return byId(agentIds.map((id) => [id, done(id, removed.has(id) ? "Deleted." : "The agent does not exist.")]));
  },
});
export const handler = lambda(agentsDelete);
