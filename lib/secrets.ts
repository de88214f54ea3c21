// Secrets at rest (DECISIONS.md#secrets-at-rest): each value is sealed with a data key, and KMS seals that key. No
// other module uses KMS.
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import {
  DecryptCommand,
  type DecryptCommandOutput,
  GenerateDataKeyCommand,
  type GenerateDataKeyCommandOutput,
  KMSClient,
} from "@aws-sdk/client-kms";
import { clientOptions } from "./aws.ts";
import { countKmsCall, readWithinCall } from "./call.ts";
import { config } from "./config.ts";
import { ApiError } from "./errors.ts";
import { Lru } from "./lru.ts";
import type { Purpose } from "./purposes.ts";
import { Secret } from "./secret.ts";
import { countThrottles } from "./throttles.ts";

export { type Purpose, purposes } from "./purposes.ts";

/** The owner and the purpose of a value. A value opens under the same context only. */
export interface SecretContext {
  workspace: string;
  purpose: Purpose;
}

/**
 * A value cannot be unsealed. All reasons (format, another context, tampering) have one message, so an attacker who
 * tries values learns nothing. The reason is the `cause`, for the log.
 */
export class SecretError extends Error {
  override readonly name = "SecretError";

  constructor(cause: unknown) {
    super("The sealed value could not be opened.", { cause });
  }
}

const ivBytes = 12;
const tagBytes = 16;
const cipher = "aes-256-gcm";
/** The longest `CiphertextBlob` that KMS accepts. */
const sealedKeyBytesMax = 6_144;
const keyLifeMs = 5 * 60_000;
const keysMax = 100;

/** KMS's errors for a data key that it did not seal, or that it sealed under another context. */
const badValueErrors = new Set(["InvalidCiphertextException", "IncorrectKeyException"]);

/** KMS's errors for a key that is disabled, waits for its deletion, or was deleted. */
const unusableKeyErrors = new Set(["DisabledException", "KMSInvalidStateException", "NotFoundException"]);

let client: KMSClient | undefined;

function kms(): KMSClient {
  client ??= countThrottles(new KMSClient(clientOptions()), "kmsThrottles");
  return client;
}

/** Sends a request to KMS. Throws UNAVAILABLE when the key cannot be used: an operator can enable it. */
async function ask<Output>(command: object): Promise<Output> {
  countKmsCall();
  try {
    return await readWithinCall((options) => kms().send(command as never, options) as Promise<Output>);
  } catch (cause) {
    if (!(cause instanceof Error && unusableKeyErrors.has(cause.name))) throw cause;
    const message = "The service's key for secrets is disabled or deleted. Try again when the operator has enabled it.";
    throw new ApiError("UNAVAILABLE", message, { cause });
  }
}

/**
 * Seals a text, with one call to KMS: `v1.<sealed data key>.<iv>.<ciphertext and tag>`, each base64url.
 * Throws UNAVAILABLE when the key cannot be used, and KMS's other failures unchanged.
 */
export async function seal(plaintext: string, context: SecretContext): Promise<string> {
  return sealedWith(await newDataKey(context), plaintext, context);
}

/** Data keys that seal, by their context. */
const sharedKeys = new Lru<string, DataKey & { sealedKey: Uint8Array }>(keysMax);

/**
 * As `seal`, for many values that are kept for a short time. All values of one context share a data key for five
 * minutes in this container, so most calls need no call to KMS.
 */
export async function sealWithSharedKey(plaintext: string, context: SecretContext): Promise<string> {
  const name = associatedData(context).toString();
  let shared = sharedKeys.get(name);
  if (!shared || shared.expiresAt <= Date.now()) {
    shared = await newDataKey(context);
    sharedKeys.set(name, shared);
    openedKeys.set(nameOf(shared.sealedKey, context), shared);
  }
  return sealedWith(shared, plaintext, context);
}

async function newDataKey(context: SecretContext): Promise<DataKey & { sealedKey: Uint8Array }> {
  const input = { KeyId: config.keyId(), KeySpec: "AES_256" as const, EncryptionContext: inKms(context) };
  const output = await ask<GenerateDataKeyCommandOutput>(new GenerateDataKeyCommand(input));
  const { CiphertextBlob: sealedKey, Plaintext: bytes } = output;
  if (!sealedKey || !bytes) throw new Error("KMS returned no data key.");
  return { sealedKey, ...dataKeyOf(bytes) };
}

function sealedWith(
  { key, sealedKey }: DataKey & { sealedKey: Uint8Array },
  plaintext: string,
  context: SecretContext,
): string {
  const iv = randomBytes(ivBytes);
  const encryption = createCipheriv(cipher, key, iv, { authTagLength: tagBytes });
  encryption.setAAD(associatedData(context));
  const body = Buffer.concat([encryption.update(plaintext, "utf8"), encryption.final(), encryption.getAuthTag()]);
  return ["v1", ...[sealedKey, iv, body].map((part) => Buffer.from(part).toString("base64url"))].join(".");
}

/**
 * Opens what `seal` made under the same context. Calls KMS unless this data key was opened in the last five minutes.
 * @throws SecretError when the value itself is wrong, UNAVAILABLE when the key cannot be used. KMS's other failures
 * (throttled, unreachable, no permission) are thrown unchanged: the caller may retry those.
 */
export async function unseal(sealed: string, context: SecretContext): Promise<Secret> {
  const { sealedKey, iv, ciphertext, tag } = parse(sealed);
  const key = await dataKey(sealedKey, context);
  try {
    const decryption = createDecipheriv(cipher, key, iv, { authTagLength: tagBytes });
    decryption.setAAD(associatedData(context));
    decryption.setAuthTag(tag);
    return new Secret(Buffer.concat([decryption.update(ciphertext), decryption.final()]).toString("utf8"));
  } catch (cause) {
    throw new SecretError(cause);
  }
}

function parse(sealed: string) {
  const [version, ...texts] = sealed.split(".");
  const parts = texts.map((text) => Buffer.from(text, "base64url"));
  const [sealedKey, iv, body] = parts;
  // Decoding skips characters that are not base64url. Encoding again detects them, so a value has one spelling only.
  const isCanonical = parts.every((part, index) => part.toString("base64url") === texts[index]);
  if (version !== "v1" || parts.length !== 3 || !isCanonical) throw new SecretError("format");
  if (!sealedKey?.length || sealedKey.length > sealedKeyBytesMax) throw new SecretError("data key");
  if (iv?.length !== ivBytes || !body || body.length < tagBytes) throw new SecretError("length");
  return { sealedKey, iv, ciphertext: body.subarray(0, -tagBytes), tag: body.subarray(-tagBytes) };
}

/** An opened data key. A KeyObject is outside the JavaScript heap, and OpenSSL clears its memory. */
interface DataKey {
  key: KeyObject;
  /** When this container forgets it, ms since the epoch. */
  expiresAt: number;
}

/** Overwrites the bytes. */
function dataKeyOf(bytes: Uint8Array): DataKey {
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return { key, expiresAt: Date.now() + keyLifeMs };
}

const openedKeys = new Lru<string, DataKey>(keysMax);

async function dataKey(sealedKey: Buffer, context: SecretContext): Promise<KeyObject> {
  const name = nameOf(sealedKey, context);
  const known = openedKeys.get(name);
  if (known && known.expiresAt > Date.now()) return known.key;
  const opened = await openDataKey(sealedKey, context);
  openedKeys.set(name, opened);
  return opened.key;
}

/**
 * The context is part of the name. Without it, a warm cache would open one workspace's value for another workspace. KMS
 * would refuse that.
 */
function nameOf(sealedKey: Uint8Array, context: SecretContext): string {
  return `${Buffer.from(sealedKey).toString("base64")} ${associatedData(context)}`;
}

async function openDataKey(sealedKey: Buffer, context: SecretContext): Promise<DataKey> {
  const input = { CiphertextBlob: sealedKey, KeyId: config.keyId(), EncryptionContext: inKms(context) };
  let bytes: Uint8Array | undefined;
  try {
    bytes = (await ask<DecryptCommandOutput>(new DecryptCommand(input))).Plaintext;
  } catch (error) {
    throw error instanceof Error && badValueErrors.has(error.name) ? new SecretError(error) : error;
  }
  if (!bytes) throw new Error("KMS returned no data key.");
  return dataKeyOf(bytes);
}

function inKms({ workspace, purpose }: SecretContext) {
  return { workspace, purpose };
}

/** The context as bytes, independent of the order of its fields. */
function associatedData({ workspace, purpose }: SecretContext): Buffer {
  return Buffer.from(JSON.stringify({ purpose, workspace }));
}
