// The addresses that get no more mail (DECISIONS.md#suppressed-addresses), as hashes. Addresses where mail bounced
// permanently are for the deployment. Addresses whose users have complained are for a workspace.
import { entity } from "../../dynamodb/entity.ts";
import type { Page } from "../../dynamodb/page.ts";
import { pageOfItems } from "../../dynamodb/sources.ts";
import * as Table from "../../dynamodb/table.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { type WorkspaceRef, workspacePartition } from "../refs.ts";
import { addressHash, knownAddressHash } from "./address-hash.ts";

export interface SuppressedAddress {
  hash: string;
  /** When the provider reported it, ISO 8601. */
  at: string;
  /** The provider's word for the kind of bounce or complaint. */
  detail?: string | undefined;
}

export interface Suppression extends Omit<SuppressedAddress, "hash"> {
  reason: "bounce" | "complaint";
}

const attributes = ["hash", "at", "detail"] as const;
type HashRef = Pick<SuppressedAddress, "hash">;

export const bouncedAddressEntity = entity<SuppressedAddress>()({
  name: "bounced-address",
  attributes,
  pk: (_: object, shard: number) => `BOUNCED#${shard}`,
  sk: ({ hash }: HashRef) => hash,
  shardBy: ({ hash }: HashRef) => hash,
});

export const complainedAddressEntity = entity<SuppressedAddress>()({
  name: "complained-address",
  attributes,
  pk: (ref: WorkspaceRef) => `${workspacePartition(ref)}#COMPLAINED`,
  sk: ({ hash }: HashRef) => hash,
});

/** Why the workspace sends no mail to the address; undefined: it may send. */
export async function suppressionOf({ workspace }: WorkspaceRef, address: string): Promise<Suppression | undefined> {
  const hash = await knownAddressHash(address);
  if (hash === undefined) return undefined;
  const keys = [complainedAddressEntity.key({ workspace, hash }), bouncedAddressEntity.key({ hash })];
  const [complained, bounced] = await Table.getMany<SuppressedAddress>(keys);
  const found = complained ?? bounced;
  if (!found) return undefined;
  const { at, detail } = found;
  return { reason: complained ? "complaint" : "bounce", at, ...(detail !== undefined && { detail }) };
}

/** Ends mail to an address: of the workspace after a complaint, of the deployment without one. */
export async function suppress(ref: WorkspaceRef | undefined, address: string, at: string, detail: string | undefined) {
  const hash = await addressHash(address);
  const suppressed = { hash, at, detail };
  await writeAll([
    ref ? complainedAddressEntity.put({ ...ref, hash }, suppressed) : bouncedAddressEntity.put({ hash }, suppressed),
  ]);
}

/** Permits mail to the address again. Returns false when mail was permitted already. */
export async function release(ref: WorkspaceRef | undefined, address: string): Promise<boolean> {
  const hash = await knownAddressHash(address);
  if (hash === undefined) return false;
  return writeAll([
    ref
      ? complainedAddressEntity.delete({ ...ref, hash }, "present")
      : bouncedAddressEntity.delete({ hash }, "present"),
  ]);
}

/** One page of the addresses whose users have complained, by hash. */
export async function page(ref: WorkspaceRef, limit: number, from?: string): Promise<Page<SuppressedAddress>> {
  return pageOfItems(complainedAddressEntity, ref, { limit, from });
}

/** All addresses of the deployment that have bounced, the latest first. */
export async function bounced(): Promise<SuppressedAddress[]> {
  const partitions = bouncedAddressEntity.partitions({});
  const pages = await Promise.all(partitions.map((pk) => Table.every<SuppressedAddress>({ pk })));
  return pages.flat().sort((one, other) => (one.at < other.at ? 1 : -1));
}
