import { invalidField, notFound } from "../../lib/errors.ts";
import { endpoint, lambda } from "../../lib/http/lambda.ts";
import { Agent, AgentUpdate, agentIsTooLarge, fitsAgent } from "../../lib/schema/agents.ts";
import * as AgentStore from "../../lib/store/ai/agent.ts";

export const agentsUpdate = endpoint({
  name: "agents-update",
  path: "/v2/agents/update",
  summary: "Update an agent",
  description: "Update an agent. Omitted fields keep their values; null clears a field that allows null.",
  grants: ["table:read", "table:write"],
  errors: ["NOT_FOUND"],
  data: AgentUpdate,
  example: {
    agentId: "agent-1",
    name: "Title checker",
    description: "Checks the title of each page.",
    instructions: "Check that the title is a question.",
    input: { userContextFields: [{ id: "tone", title: "Tone", type: "text" }] },
  },
  reply: Agent,
  message: "Agent updated.",

  async handle({ data: { agentId, ...fields }, caller }) {
    const set = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
    const agent = await AgentStore.change(caller.ref, agentId, (stored) => {
      const changed: Agent = { ...stored, ...Object.fromEntries(set) };
      if (fields.description === null) delete changed.description;
      if (fields.input === null) delete changed.input;
      if (!fitsAgent(changed)) throw invalidField([], agentIsTooLarge);
      return changed;
    });
    if (!agent) throw notFound("agent");
    return agent;
  },
});
export const handler = lambda(agentsUpdate);
