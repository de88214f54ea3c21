// Steps on agents, judgments and tokens of the workspace.
import type { Random } from "../../support/random.ts";
import type { Json } from "../envelope.ts";
import { fails, ok, oneOf, type Step, whole } from "../step.ts";
import type { WorkspaceModel } from "../workspace-model.ts";

const agentsMax = 40;
const decisions = ["approved", "rejected", "comment"];
const words = ["headline", "discount", "legal", "medical", "claims", "tone", "price"];
const recordIds = Array.from({ length: 20 }, (_, index) => `record-${index}`);

export function createAgent(model: WorkspaceModel, random: Random): Step | undefined {
  if (model.agents.size >= agentsMax) return undefined;
  const name = random.from(["Checker", "🦜", "__proto__"]);
  return {
    endpoint: "agents-create",
    data: { name, instructions: "Check that the title says what the page is about." },
    isCreation: true,
    observe: whole((agent) => agent.name),
    expect: () => oneOf(name),
    adopt: ({ data }) => void model.agents.set(data.agentId, name),
  };
}

export function getAgents(model: WorkspaceModel, random: Random): Step {
  const known = [...model.agents.keys()];
  const agentIds = random.chance(0.5) ? random.some([...known, "missing"], 3) : undefined;
  const all = (entries: unknown[]) => entries.map((each) => JSON.stringify(each)).sort();
  return {
    endpoint: "agents-get",
    data: { agentIds, pageSize: random.pageSize() },
    lists: ["agents"],
    observe: whole(({ agents }) => all(agents.map(({ agentId, name }: Json) => [agentId, name]))),
    expect: () => oneOf(all([...model.agents].filter(([id]) => !agentIds || agentIds.includes(id)))),
  };
}

export function resolveAgent(model: WorkspaceModel, random: Random): Step {
  const agentId = random.from([...model.agents.keys(), "missing"]);
  return {
    endpoint: "agents-config-resolve",
    data: { agentId },
    observe: whole(({ agent }) => agent.name),
    expect: () => (model.agents.has(agentId) ? oneOf(model.agents.get(agentId)) : fails("NOT_FOUND")),
  };
}

export function addJudgments(model: WorkspaceModel, random: Random): Step {
  const judgments = random.some(recordIds, 2).map((recordId) => {
    const reasoning = `The ${random.some(words, 3).join(" and the ")} must change.`;
    return { recordId, decision: random.from(decisions), reasoning, actionUser: { userId: "alice" } };
  });
  return {
    endpoint: "judgments-add",
    data: { judgments },
    observe: whole(({ recordIds }) => recordIds),
    expect: () => oneOf(judgments.map(({ recordId }) => recordId)),
    apply: () => judgments.forEach(({ recordId, ...rest }) => void model.judgments.set(recordId, rest)),
  };
}

/** Which records are found depends on the ranking. Each that is found must be as it was added. */
export function searchJudgments(model: WorkspaceModel, random: Random): Step {
  const decision = random.from([...decisions, undefined]);
  const isWrong = ({ recordId, reasoning, ...rest }: Json) => {
    const stored = model.judgments.get(recordId);
    if (!stored || (decision !== undefined && stored.decision !== decision)) return true;
    return stored.reasoning !== reasoning || stored.decision !== rest.decision;
  };
  return {
    endpoint: "memory-search",
    data: { query: random.some(words, 2).join(" "), ...(decision && { filters: { decision } }) },
    observe: whole(({ judgments }) => judgments.filter(isWrong)),
    expect: () => oneOf([]),
  };
}

/** Without a key of a vendor, a question has an answer only if nothing is relevant. */
export function askMemory(): Step {
  return {
    endpoint: "memory-ask",
    data: { question: "zxqv?" },
    observe: whole(({ result: { answer, confidence } }) => [answer, confidence]),
    expect: () => oneOf(["", 0]),
  };
}

export function listKnowledge(): Step {
  return {
    endpoint: "knowledge-list",
    data: {},
    lists: ["sources"],
    observe: whole(({ sources }) => sources),
    expect: () => oneOf([]),
  };
}

export function forgetKnowledge(): Step {
  return { endpoint: "knowledge-delete", data: { sourceIds: ["source-1"] }, expect: () => ok() };
}

export function getTokens(): Step {
  return {
    endpoint: "authtokens-get",
    data: {},
    observe: whole(({ authTokens }) => authTokens.length),
    expect: () => oneOf(1),
  };
}

export function askAi(): Step {
  return {
    endpoint: "ask-ai",
    data: { model: "gpt-5-mini", prompt: "Make this friendlier.", text: "Send me the report." },
    observe: whole(({ result }) => result.success),
    // --demo-ai answers every workspace, without a vendor's key.
    expect: () => oneOf(true),
  };
}
