// Envelope encryption, and the only file that speaks to KMS: each value has a data key of its own, sealed by KMS.
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { callSignal, countKmsCall } from "./call.ts";
import { config } from "./config.ts";

/** Whose value it is and what for. A value unseals under the same context only. */
export interface SecretContext {
  workspace: string;
  purpose: string;
}

/**
 * A value that does not unseal. One message for all reasons (format, another context, tampering), so that nobody can
 * tell by trial which of them it was; the reason is the `cause`, for the log.
 */
export class SecretError extends Error {
  constructor(cause: unknown) {
    super("The sealed value could not be opened.", { cause });
    this.name = "SecretError";
  }
}

const ivBytes = 12;
const tagBytes = 16;
const cipher = "aes-256-gcm";
/** The longest `CiphertextBlob` that KMS takes. */
const sealedKeyBytesMax = 6_144;
const keyLifeMs = 5 * 60_000;
const keysMax = 100;

/** What KMS answers to a data key that is not its own, or was sealed under another context. */
const badValueErrors = new Set(["InvalidCiphertextException", "IncorrectKeyException"]);

let client: KMSClient | undefined;

function kms(): KMSClient {
  client ??= new KMSClient({});
  return client;
}

/**
 * Seals a text, with one call to KMS: `v1.<sealed data key>.<iv>.<ciphertext and tag>`, each base64url.
 * KMS's failures are thrown as they are.
 */
export async function seal(plaintext: string, context: SecretContext): Promise<string> {
  countKmsCall();
  const { CiphertextBlob: sealedKey, Plaintext: key } = await kms().send(
    new GenerateDataKeyCommand({ KeyId: config.keyId(), KeySpec: "AES_256", EncryptionContext: inKms(context) }),
    withinCall(),
  );
  if (!sealedKey || !key) throw new Error("KMS answered without a data key.");
  try {
    const iv = randomBytes(ivBytes);
    const encryption = createCipheriv(cipher, key, iv, { authTagLength: tagBytes });
    encryption.setAAD(associatedData(context));
    const parts = [encryption.update(plaintext, "utf8"), encryption.final(), encryption.getAuthTag()];
    return ["v1", ...[sealedKey, iv, Buffer.concat(parts)].map((part) => Buffer.from(part).toString("base64url"))].join(
      ".",
    );
  } finally {
    key.fill(0);
  }
}

/**
 * Opens what `seal` made under the same context. Calls KMS unless this data key was opened in the last five minutes.
 * @throws SecretError when the value is at fault. KMS's other failures (throttled, unreachable, no permission) are
 * thrown as they are: those may be tried again.
 */
export async function unseal(sealed: string, context: SecretContext): Promise<string> {
  const { sealedKey, iv, ciphertext, tag } = parse(sealed);
  const key = await dataKey(sealedKey, context);
  try {
    const decryption = createDecipheriv(cipher, key, iv, { authTagLength: tagBytes });
    decryption.setAAD(associatedData(context));
    decryption.setAuthTag(tag);
    return Buffer.concat([decryption.update(ciphertext), decryption.final()]).toString("utf8");
  } catch (cause) {
    throw new SecretError(cause);
  }
}

function parse(sealed: string) {
  const [version, ...texts] = sealed.split(".");
  const parts = texts.map((text) => Buffer.from(text, "base64url"));
  const [sealedKey, iv, body] = parts;
  // Decoding skips what is not base64url; encoding again shows it, so that a value has one spelling only.
  const isCanonical = parts.every((part, index) => part.toString("base64url") === texts[index]);
  if (version !== "v1" || parts.length !== 3 || !isCanonical) throw new SecretError("format");
  if (!sealedKey?.length || sealedKey.length > sealedKeyBytesMax) throw new SecretError("data key");
  if (iv?.length !== ivBytes || !body || body.length < tagBytes) throw new SecretError("length");
  return { sealedKey, iv, ciphertext: body.subarray(0, -tagBytes), tag: body.subarray(-tagBytes) };
}

/** Opened data keys, least recently used first. As KeyObjects they lie outside the heap, and OpenSSL clears them. */
const keys = new Map<string, { key: KeyObject; expiresAt: number }>();

async function dataKey(sealedKey: Buffer, context: SecretContext): Promise<KeyObject> {
  // The context is part of the name: without it, a warm cache would open one workspace's key for another, which KMS
  // itself refuses.
  const name = `${sealedKey.toString("base64")} ${associatedData(context)}`;
  const known = keys.get(name);
  keys.delete(name);
  const kept = known && known.expiresAt > Date.now() ? known : await openDataKey(sealedKey, context);
  keys.set(name, kept);
  if (keys.size > keysMax) keys.delete(keys.keys().next().value as string);
  return kept.key;
}

async function openDataKey(sealedKey: Buffer, context: SecretContext) {
  countKmsCall();
  const input = { CiphertextBlob: sealedKey, KeyId: config.keyId(), EncryptionContext: inKms(context) };
  let bytes: Uint8Array | undefined;
  try {
    bytes = (await kms().send(new DecryptCommand(input), withinCall())).Plaintext;
  } catch (error) {
    throw error instanceof Error && badValueErrors.has(error.name) ? new SecretError(error) : error;
  }
  if (!bytes) throw new Error("KMS answered without a data key.");
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return { key, expiresAt: Date.now() + keyLifeMs };
}

function inKms({ workspace, purpose }: SecretContext) {
  return { workspace, purpose };
}

/** The context in one spelling, whatever the order of its fields. */
function associatedData({ workspace, purpose }: SecretContext): Buffer {
  return Buffer.from(JSON.stringify({ purpose, workspace }));
}

function withinCall() {
  const abortSignal = callSignal();
  return abortSignal ? { abortSignal } : {};
}
