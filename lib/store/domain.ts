// The domains that a workspace allows, in their normal form.
import { entity } from "../dynamodb/entity.ts";
import { segment } from "../dynamodb/key.ts";
import type { Page } from "../dynamodb/page.ts";
import { pageOfItems } from "../dynamodb/sources.ts";
import * as Table from "../dynamodb/table.ts";
import type { Write } from "../dynamodb/write.ts";
import { writeEach } from "../dynamodb/write-each.ts";
import { type WorkspaceRef, workspacePartition } from "./refs.ts";

export interface Domain {
  domain: string;
  createdAt: string;
}

export const domainEntity = entity<Domain>()({
  name: "domain",
  attributes: ["domain", "createdAt"],
  pk: (ref: WorkspaceRef) => workspacePartition(ref),
  prefix: "DOMAIN#",
  sk: ({ domain }: Pick<Domain, "domain">) => segment(domain),
});

/** Adds domains. Returns the new ones. A domain that concurrent calls add is new for only one of them. */
export async function add({ workspace }: WorkspaceRef, domains: readonly string[]): Promise<string[]> {
  const createdAt = new Date().toISOString();
  return written(domains, (domain) => domainEntity.put({ workspace, domain }, { domain, createdAt }, "absent"));
}

/** Removes domains. Returns the domains that existed. */
export async function remove({ workspace }: WorkspaceRef, domains: readonly string[]): Promise<string[]> {
  return written(domains, (domain) => domainEntity.delete({ workspace, domain }, "present"));
}

/** Writes the domains. Returns the domains whose condition did not fail. */
async function written(domains: readonly string[], writeOf: (domain: string) => Write): Promise<string[]> {
  const areWritten = await writeEach(domains.map((domain) => ({ writes: [writeOf(domain)] })));
  return domains.filter((_, index) => areWritten[index]);
}

/** The names among these that are allowed domains. */
export async function existing({ workspace }: WorkspaceRef, domains: readonly string[]): Promise<Set<string>> {
  const found = await Table.getMany<Domain>(domains.map((domain) => domainEntity.key({ workspace, domain })));
  return new Set(domains.filter((_, index) => found[index] !== undefined));
}

/** One page, by name. */
export async function page(ref: WorkspaceRef, limit: number, from?: string): Promise<Page<Domain>> {
  return pageOfItems(domainEntity, ref, { limit, from });
}
