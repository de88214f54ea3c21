import * as z from "zod/mini";
import { choose } from "../../lib/ai/choice.ts";
import { notFound } from "../../lib/errors.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { Agent } from "../../lib/schema/agents.ts";
import { vendorNamed } from "../../lib/schema/ai-vendors.ts";
import { AgentId } from "../../lib/schema/fields.ts";
import { optional, Text } from "../../lib/schema/primitives.ts";
import * as AgentStore from "../../lib/store/ai/agent.ts";

export const agentsConfigResolve = endpoint({
  name: "agents-config-resolve",
  path: "/v2/agents/config/resolve",
  summary: "Get an agent with its model",
  description: "Get an agent, and the model that it would use with the workspace's settings.",
  settings: ["ai"],
  grants: ["table:read"],
  errors: ["NOT_FOUND"],
  data: z.object({
    agentId: AgentId,
    provider: optional(
      Text.check(
        z.refine((name) => vendorNamed(name) !== undefined, { error: "Is not a known provider." }),
        z.describe("openai, anthropic (or claude) or gemini (or google). Default: the workspace's default provider."),
      ),
    ),
  }),
  reply: z.object({
    agent: Agent.check(z.describe("The agent.")),
    model: z
      .object({
        provider: z.string().check(z.describe("The vendor of the model.")),
        model: z.string().check(z.describe("The name of the model.")),
        hasApiKey: z.boolean().check(z.describe("Without a key, every call to the model fails.")),
      })
      .check(z.describe("The model that the agent would use.")),
  }),
  message: "Agent configuration resolved.",

  async handle({ data: { agentId, provider }, caller }) {
    const vendor = provider === undefined ? undefined : vendorNamed(provider);
    const [[agent], ai] = await Promise.all([AgentStore.getMany(caller.ref, [agentId]), caller.setting("ai")]);
    if (!agent) throw notFound("agent");
    const choice = choose(ai, { vendor });
    const model = { provider: choice.vendor, model: choice.model, hasApiKey: choice.apiKeySealed !== "" };
    return { agent, model };
  },
});
export const handler = readLambda(agentsConfigResolve);
