// The operations of KMS that the service uses, with one master key in the data folder.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
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

const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const arn = `arn:aws:kms:us-east-1:000000000000:${keyAlias}`;

export function startKms(dir: string): Promise<LocalService> {
  return serveAwsJson(kmsOperations(masterKey(dir)), "application/x-amz-json-1.1");
}

/** `master`: 32 bytes. */
export function kmsOperations(master: Buffer): Operations {
  return {
    GenerateDataKey({ KeyId, KeySpec, NumberOfBytes, EncryptionContext }: Input) {
      checkKey(KeyId);
      const plaintext = randomBytes(NumberOfBytes ?? (KeySpec === "AES_128" ? 16 : keyBytes));
      return {
        KeyId: arn,
        Plaintext: base64(plaintext),
        CiphertextBlob: base64(seal(master, plaintext, EncryptionContext)),
      };
    },
    Encrypt({ KeyId, Plaintext = "", EncryptionContext }: Input) {
      checkKey(KeyId);
      const sealed = seal(master, Buffer.from(Plaintext, "base64"), EncryptionContext);
      return { KeyId: arn, CiphertextBlob: base64(sealed), EncryptionAlgorithm: "SYMMETRIC_DEFAULT" };
    },
    Decrypt({ KeyId = keyAlias, CiphertextBlob = "", EncryptionContext }: Input) {
      checkKey(KeyId);
      const plaintext = unseal(master, Buffer.from(CiphertextBlob, "base64"), EncryptionContext);
      return { KeyId: arn, Plaintext: base64(plaintext), EncryptionAlgorithm: "SYMMETRIC_DEFAULT" };
    },
  };
}

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

function checkKey(id: string | undefined): void {
  if (id !== keyAlias && id !== arn) throw new AwsError("NotFoundException", `Key ${id} does not exist.`);
}

function seal(master: Buffer, plaintext: Buffer, context: Context = {}): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", master, iv, { authTagLength: tagBytes }).setAAD(canonical(context));
  return Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function unseal(master: Buffer, sealed: Buffer, context: Context = {}): Buffer {
  try {
    const iv = sealed.subarray(0, ivBytes);
    const decipher = createDecipheriv("aes-256-gcm", master, iv, { authTagLength: tagBytes }).setAAD(
      canonical(context),
    );
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]);
  } catch {
    // As KMS: the error does not say whether ciphertext, key or context is wrong.
    throw new AwsError("InvalidCiphertextException", "");
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
