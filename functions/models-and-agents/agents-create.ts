import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { newId } from "../../lib/new-id.ts";
import { Agent, NewAgent } from "../../lib/schema/agents.ts";
import * as AgentStore from "../../lib/store/ai/agent.ts";

export const agentsCreate = endpoint({
  name: "agents-create",
  path: "/v2/agents/create",
  summary: "Create an agent",
  description: "Create an agent, for example from an extracted draft.",
  grants: ["table:write"],
  data: NewAgent,
  example: {
    name: "Title checker",
    description: "Checks the title of each page.",
    instructions: "Check that the title says what the page is about.",
    input: { userContextFields: [{ id: "tone", title: "Tone", type: "text" }] },
  },
  reply: Agent,
  message: "Agent created.",

  async handle({ data, caller }) {
    const createdAt = new Date().toISOString();
    const agent = { agentId: `agent_${newId()}`, ...data, createdAt, updatedAt: createdAt };
    await AgentStore.add(caller.ref, agent);
    return agent;
  },
});
export const handler = lambda(agentsCreate);
