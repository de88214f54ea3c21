// The workspace's agents.
import { entity } from "../dynamodb/entity.ts";
import { type Item, segment } from "../dynamodb/key.ts";
import { type Page, pageOf } from "../dynamodb/page.ts";
import * as Table from "../dynamodb/table.ts";
import { commit } from "../jobs/commit.ts";
import type { Agent } from "../schema/agents.ts";
import { type WorkspaceRef, workspacePartition } from "./refs.ts";

export const agentEntity = entity<Agent>()({
  name: "agent",
  attributes: { agentId: true, name: true, description: true, instructions: true, input: true, createdAt: true },
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}#AGENTS`,
  sk: ({ agentId }: Pick<Agent, "agentId">) => segment(agentId),
});

/** Adds an agent. An agent with the same id, from an earlier attempt of the call, stays unchanged. */
export async function add(ref: WorkspaceRef, agent: Agent): Promise<void> {
  const { workspace } = ref;
  await commit([agentEntity.put({ workspace, agentId: agent.agentId }, agent, "absent")]);
}

/** In the order of `ids`; undefined where there is none. */
export async function getMany({ workspace }: WorkspaceRef, ids: readonly string[]): Promise<(Agent | undefined)[]> {
  const items = await Table.getMany<Item>(ids.map((agentId) => agentEntity.key({ workspace, agentId })));
  return items.map((item) => item && agentEntity.attributesOf(item));
}

/** One page, by id. */
export async function page(ref: WorkspaceRef, limit: number, from?: string): Promise<Page<Agent>> {
  const { items, next } = await Table.page(agentEntity.range(ref), limit, from);
  return pageOf(items.map(agentEntity.attributesOf), next);
}
