// The operations of KMS that the service uses, with the master key of the data folder. Also those with which an
// operator disables or deletes a key. The states of keys, and further keys, end with the process.
import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from "node:crypto";
import { AwsError, type LocalService, type Operations, serveAwsJson } from "./aws-json.ts";
import { keyAlias } from "./environment.ts";
import { createExclusively, kmsKeyPath, readBytes } from "./files.ts";
import { StartError } from "./start-error.ts";

type Context = Record<string, string>;

interface Input {
  KeyId?: string;
  EncryptionContext?: Context;
  /** Base64. */
  Plaintext?: string;
  /** Base64. */
  CiphertextBlob?: string;
  KeySpec?: string;
  NumberOfBytes?: number;
}

interface Key {
  /** The ids that name it. The first one is its ARN. */
  names: string[];
  bytes: Buffer;
  state: "Enabled" | "Disabled" | "PendingDeletion";
}

const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const arnOf = (resource: string) => `arn:aws:kms:us-east-1:000000000000:${resource}`;
const masterId = "00000000-0000-4000-8000-000000000000";

export function startKms(dir: string): Promise<LocalService> {
  return serveAwsJson(kmsOperations(masterKey(dir)), "application/x-amz-json-1.1");
}

/** `master`: 32 bytes. It has the alias. */
export function kmsOperations(master: Buffer): Operations {
  const keys: Key[] = [newKey(masterId, master, [keyAlias, arnOf(keyAlias)])];
  const find = (id: string | undefined): Key => {
    const found = keys.find(({ names }) => names.includes(String(id)));
    if (!found) throw new AwsError("NotFoundException", `Key '${id}' does not exist`);
    return found;
  };
  const usable = (key: Key): Key => {
    const [arn] = key.names;
    if (key.state === "Disabled") throw new AwsError("DisabledException", `${arn} is disabled.`);
    if (key.state === "PendingDeletion") throw invalidState(key, "is pending deletion");
    return key;
  };
  /** Puts a key that is in one of the states into another one. */
  const change = (from: readonly Key["state"][], to: Key["state"]) => (input: Input) => {
    const key = find(input.KeyId);
    if (!from.includes(key.state)) throw invalidState(key, `is ${key.state}`);
    key.state = to;
    return { KeyId: key.names[0], KeyState: to };
  };
  return {
    GenerateDataKey({ KeyId, KeySpec, NumberOfBytes, EncryptionContext }: Input) {
      const { names, bytes } = usable(find(KeyId));
      const plaintext = randomBytes(NumberOfBytes ?? (KeySpec === "AES_128" ? 16 : keyBytes));
      const sealed = seal(bytes, plaintext, EncryptionContext);
      return { KeyId: names[0], Plaintext: base64(plaintext), CiphertextBlob: base64(sealed) };
    },
    Encrypt({ KeyId, Plaintext = "", EncryptionContext }: Input) {
      const { names, bytes } = usable(find(KeyId));
      const sealed = seal(bytes, Buffer.from(Plaintext, "base64"), EncryptionContext);
      return { KeyId: names[0], CiphertextBlob: base64(sealed), EncryptionAlgorithm: "SYMMETRIC_DEFAULT" };
    },
    Decrypt({ KeyId, CiphertextBlob = "", EncryptionContext }: Input) {
      const named = KeyId === undefined ? undefined : usable(find(KeyId));
      const sealed = Buffer.from(CiphertextBlob, "base64");
      for (const key of keys) {
        const plaintext = unseal(key.bytes, sealed, EncryptionContext);
        if (!plaintext) continue;
        if (named && named !== key)
          throw new AwsError(
            "IncorrectKeyException",
            "The key ID in the request does not identify the key of the text.",
          );
        const { names } = usable(key);
        return { KeyId: names[0], Plaintext: base64(plaintext), EncryptionAlgorithm: "SYMMETRIC_DEFAULT" };
      }
      // As KMS: the error does not say whether ciphertext or context is wrong.
      throw new AwsError("InvalidCiphertextException", "");
    },
    CreateKey() {
      const id = randomUUID();
      const key = newKey(id, randomBytes(keyBytes));
      keys.push(key);
      return { KeyMetadata: { KeyId: id, Arn: key.names[0], KeyState: key.state } };
    },
    EnableKey: change(["Enabled", "Disabled"], "Enabled"),
    DisableKey: change(["Enabled", "Disabled"], "Disabled"),
    ScheduleKeyDeletion: change(["Enabled", "Disabled"], "PendingDeletion"),
    CancelKeyDeletion: change(["PendingDeletion"], "Disabled"),
  };
}

function newKey(id: string, bytes: Buffer, aliases: string[] = []): Key {
  return { names: [arnOf(`key/${id}`), id, ...aliases], bytes, state: "Enabled" };
}

const invalidState = ({ names: [arn] }: Key, what: string) =>
  new AwsError("KMSInvalidStateException", `${arn} ${what}.`);

function masterKey(dir: string): Buffer {
  const path = kmsKeyPath(dir);
  createExclusively(path, randomBytes(keyBytes));
  const key = readBytes(path);
  if (key.length !== keyBytes)
    throw new StartError(
      `${path} does not hold a key of ${keyBytes} bytes. Restore the original file: sealed values need that key.`,
    );
  return key;
}

function seal(master: Buffer, plaintext: Buffer, context: Context = {}): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", master, iv, { authTagLength: tagBytes }).setAAD(canonical(context));
  return Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined: another key or context, or a changed text. */
function unseal(master: Buffer, sealed: Buffer, context: Context = {}): Buffer | undefined {
  try {
    const iv = sealed.subarray(0, ivBytes);
    const decipher = createDecipheriv("aes-256-gcm", master, iv, { authTagLength: tagBytes }).setAAD(
      canonical(context),
    );
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Serializes the context independently of the order of its fields. */
function canonical(context: Context): Buffer {
  const pairs = Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.from(JSON.stringify(pairs));
}

function base64(bytes: Buffer): string {
  return bytes.toString("base64");
}
