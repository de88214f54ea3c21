// The workspace's agents, an item each.

import { fitting, type Position } from "../dynamodb/sharded-page.ts";
import * as Table from "../dynamodb/table.ts";
import { commit } from "../jobs/commit.ts";
import type { Agent } from "../schema/agents.ts";
import { memoryKeys } from "./memory-keys.ts";

/** Adds an agent; one that an earlier try of the same call has added stays as it is. */
export async function add(workspace: string, agent: Agent): Promise<void> {
  await commit([{ put: { ...memoryKeys.agent(workspace, agent.agentId), ...agent }, if: "absent" }]);
}

/** In the order of `ids`; undefined where there is none. */
export async function getMany(workspace: string, ids: readonly string[]): Promise<(Agent | undefined)[]> {
  const items = await Table.getMany<Table.Item>(ids.map((id) => memoryKeys.agent(workspace, id)));
  return items.map((item) => item && agentOf(item));
}

/** One page, by id. */
export async function page(workspace: string, limit: number, from?: Position) {
  const { pk } = memoryKeys.agent(workspace, "");
  const after = from?.after;
  const { items, next } = await Table.query<Table.Item>({ pk, limit, ...(after !== undefined && { after }) });
  const count = fitting(items);
  const last = count < items.length ? items[count - 1]?.sk : next;
  return { items: items.slice(0, count).map(agentOf), ...(last !== undefined && { next: { shard: 0, after: last } }) };
}

function agentOf({ pk: _pk, sk: _sk, ...agent }: Table.Item): Agent {
  return agent as unknown as Agent;
}
