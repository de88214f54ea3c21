// The workspace's agents.
import { isDeepStrictEqual } from "node:util";
import { deleteAll } from "../../dynamodb/batch-write.ts";
import { entity } from "../../dynamodb/entity.ts";
import { segment } from "../../dynamodb/key.ts";
import { type Page, pageOf } from "../../dynamodb/page.ts";
import { conflict, retryOnConflict } from "../../dynamodb/retry-on-conflict.ts";
import { pageOfItems } from "../../dynamodb/sources.ts";
import * as Table from "../../dynamodb/table.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import type { Agent } from "../../schema/agents.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";

interface StoredAgent extends Omit<Agent, "updatedAt"> {
  /** Absent before the first change. */
  updatedAt?: string;
  /** The number of changes; absent before the first. */
  revision?: number | undefined;
}

export const agentEntity = entity<StoredAgent>()({
  name: "agent",
  attributes: ["agentId", "name", "description", "instructions", "input", "createdAt", "updatedAt", "revision"],
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}#AGENTS`,
  sk: ({ agentId }: Pick<Agent, "agentId">) => segment(agentId),
});

function shown(item: object): Agent {
  const { revision: _, ...agent } = agentEntity.attributesOf(item);
  return { ...agent, updatedAt: agent.updatedAt ?? agent.createdAt };
}

/** Adds an agent. An agent with the same id, from an earlier attempt of the call, stays unchanged. */
export async function add(ref: WorkspaceRef, agent: StoredAgent): Promise<void> {
  const { workspace } = ref;
  await writeAll([agentEntity.put({ workspace, agentId: agent.agentId }, agent, "absent")]);
}

/**
 * Changes the agent as `decide` says, which runs again after a concurrent change. Returns the agent after the change,
 * undefined if there is none. If nothing changes, nothing is written.
 */
export async function change(
  { workspace }: WorkspaceRef,
  agentId: string,
  decide: (agent: Agent) => Agent,
): Promise<Agent | undefined> {
  const ref = { workspace, agentId };
  return retryOnConflict("agent", async () => {
    const stored = await Table.get<StoredAgent>(agentEntity.key(ref));
    if (!stored) return undefined;
    const { revision, createdAt } = stored;
    const before = shown(stored);
    const decided = decide(before);
    if (isDeepStrictEqual(decided, before)) return before;
    const after = { ...decided, updatedAt: new Date().toISOString() };
    const item = { ...after, revision: (revision ?? 0) + 1 };
    return (await writeAll([agentEntity.put(ref, item, { createdAt, revision })])) ? after : conflict;
  });
}

/** Returns the ids of the agents that existed. */
export async function removeMany({ workspace }: WorkspaceRef, agentIds: readonly string[]): Promise<Set<string>> {
  const found = (await getMany({ workspace }, agentIds)).flatMap((agent) => (agent ? [agent.agentId] : []));
  await deleteAll(found.map((agentId) => agentEntity.key({ workspace, agentId })));
  return new Set(found);
}

/** The agents in the order of `ids`; undefined where there is none. */
export async function getMany({ workspace }: WorkspaceRef, ids: readonly string[]): Promise<(Agent | undefined)[]> {
  const items = await Table.getMany<object>(ids.map((agentId) => agentEntity.key({ workspace, agentId })));
  return items.map((item) => item && shown(item));
}

/** One page, by id. */
export async function page(ref: WorkspaceRef, limit: number, from?: string): Promise<Page<Agent>> {
  const { items, next } = await pageOfItems(agentEntity, ref, { limit, from });
  return pageOf(items.map(shown), next);
}
