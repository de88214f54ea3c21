// E-mail addresses as hashes, so that the table can have a list of addresses without naming one. The key of the hashes is
// the deployment's, and sealed.
import { createHmac, randomBytes } from "node:crypto";
import { config } from "../../config.ts";
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { Lru } from "../../lru.ts";
import { mailAddress } from "../../schema/mail-address.ts";
import { purposes, seal, unseal } from "../../secrets.ts";

interface AddressKey {
  /** Base64url, sealed for `purposes.addressHash`. */
  keySealed: string;
}

export const addressKeyEntity = entity<AddressKey>()({
  name: "address-key",
  attributes: ["keySealed"],
  pk: () => "ADDRESSKEY",
  sk: () => "ADDRESSKEY",
});

/** The owner of the sealed key, in place of a workspace. No API key is equal to it. */
const context = { workspace: "deployment", purpose: purposes.addressHash };

/**
 * The hash is the same for each spelling of the address: mail servers ignore the case, and a domain has a form in
 * ASCII. Two deployments have different hashes of one address. The first call of a deployment creates the key.
 */
export async function addressHash(address: string): Promise<string> {
  return hashOf(address, (await storedKey()) ?? (await createKey()));
}

/** As `addressHash`, for readers. Undefined: the deployment has no hash yet. */
export async function knownAddressHash(address: string): Promise<string | undefined> {
  const key = await storedKey();
  return key && hashOf(address, key);
}

/** A container reads the key once: it is never replaced, and all workspaces have the same. */
const known = new Lru<string, AddressKey>(100);

const storedKey = async () => known.get(config.tableName()) ?? (await Table.get<AddressKey>(addressKeyEntity.key({})));

async function hashOf(address: string, key: AddressKey): Promise<string> {
  known.set(config.tableName(), key);
  const secret = Buffer.from((await unseal(key.keySealed, context)).reveal(), "base64url");
  return createHmac("sha256", secret).update(oneSpelling(address)).digest("base64url");
}

/** Mail goes to the domain as punycode, and a bounce names it so. A caller can name it in other letters. */
const oneSpelling = (address: string) => (mailAddress(address) ?? address.trim()).toLowerCase();

/** Concurrent calls get the same key. It is never replaced: the hashes in the table depend on it. */
async function createKey(): Promise<AddressKey> {
  const created = { keySealed: await seal(randomBytes(32).toString("base64url"), context) };
  if (await writeAll([addressKeyEntity.put({}, created, "absent")])) return created;
  const existing = await Table.get<AddressKey>(addressKeyEntity.key({}));
  if (!existing) throw new Error("The key of another call was not found.");
  return existing;
}
