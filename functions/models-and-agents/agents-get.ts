import * as z from "zod/mini";
import { pageOfIds } from "../../lib/dynamodb/sources.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { listing } from "../../lib/http/paging.ts";
import { Agent } from "../../lib/schema/agents.ts";
import { pageReply, pageRequest } from "../../lib/schema/paging.ts";
import { distinct, ids, optional } from "../../lib/schema/primitives.ts";
import * as AgentStore from "../../lib/store/ai/agent.ts";

const idsMax = 20;

export const agentsGet = endpoint({
  name: "agents-get",
  path: "/v2/agents/get",
  summary: "List agents",
  description: "List the workspace's agents, or get those with the given ids.",
  grants: ["table:read"],
  data: z.object({
    agentIds: optional(ids(idsMax)).check(z.describe("Only these agents, at most 20. Absent: all.")),
    ...pageRequest,
  }),
  example: { pageSize: 20 },
  reply: z.object({ agents: z.array(Agent).check(z.describe("The agents of this page.")), ...pageReply }),
  message: "Agents retrieved.",

  async handle({ data, caller }) {
    const ids = data.agentIds && distinct(data.agentIds);
    const list = listing(caller, ids ? ["agents by id", ...ids] : ["agents"], data, ids);
    const page = ids
      ? await pageOfIds(ids, { limit: list.size, from: list.from }, (some) => AgentStore.getMany(caller.ref, some))
      : await AgentStore.page(caller.ref, list.size, list.from);
    return { agents: page.items, nextPageToken: list.tokenFor(page.next) };
  },
});
export const handler = readLambda(agentsGet);
