// The domains that a workspace allows: an item each, under its normal form.

import type { Position } from "../dynamodb/sharded-page.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { keys } from "./keys.ts";

export interface Domain {
  domain: string;
  createdAt: string;
}

/** Adds domains; answers those that were not there, however many calls add the same ones at once. */
export async function add(workspace: string, domains: readonly string[]): Promise<string[]> {
  const createdAt = new Date().toISOString();
  return written(domains, (domain) => ({
    put: { ...keys.domain(workspace, domain), domain, createdAt },
    if: "absent",
  }));
}

/** Removes domains; answers those that were there. */
export async function remove(workspace: string, domains: readonly string[]): Promise<string[]> {
  return written(domains, (domain) => ({ delete: keys.domain(workspace, domain), if: "present" }));
}

async function written(domains: readonly string[], writeOf: (domain: string) => Write): Promise<string[]> {
  const outcome = await Table.commitEach(domains.map((domain) => ({ writes: [writeOf(domain)] })));
  return domains.filter((_, index) => outcome[index]);
}

/** One page, by name; `next` is absent at the end. */
export async function page(workspace: string, limit: number, from?: Position) {
  const { pk, sk: beginsWith } = keys.domain(workspace, "");
  const range = { pk, beginsWith, limit: limit + 1, ...(from?.after !== undefined && { after: from.after }) };
  const { items } = await Table.query<Domain & { sk: string }>(range);
  const last = items.length > limit ? items[limit - 1] : undefined;
  return { items: items.slice(0, limit), ...(last && { next: { shard: 0, after: last.sk } }) };
}
