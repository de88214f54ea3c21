import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  CancelKeyDeletionCommand,
  CreateKeyCommand,
  DecryptCommand,
  DisableKeyCommand,
  EnableKeyCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  KMSClient,
  ScheduleKeyDeletionCommand,
} from "@aws-sdk/client-kms";
import { expect, onTestFinished, test } from "vitest";
import { keyAlias as KeyId, placeholderAccess } from "../../../infra/local/environment.ts";
import { startKms } from "../../../infra/local/kms.ts";
import { temporaryFolder } from "../../support/local/start.ts";

async function kmsOn(dir: string): Promise<KMSClient> {
  const kms = await startKms(dir);
  const client = new KMSClient({ endpoint: kms.endpoint, ...placeholderAccess });
  onTestFinished(async () => {
    client.destroy();
    await kms.close();
  });
  return client;
}

const EncryptionContext = { workspace: "w", purpose: "p" };

test("a data key is decrypted only with its own context, whose fields can have any order", async () => {
  const client = await kmsOn(temporaryFolder());
  const made = await client.send(new GenerateDataKeyCommand({ KeyId, KeySpec: "AES_256", EncryptionContext }));
  expect(made.Plaintext).toHaveLength(32);
  const { CiphertextBlob } = made;
  const decrypt = (context?: Record<string, string>) =>
    client.send(new DecryptCommand({ CiphertextBlob, ...(context && { EncryptionContext: context }) }));
  expect((await decrypt({ purpose: "p", workspace: "w" })).Plaintext).toEqual(made.Plaintext);
  for (const wrong of [{ ...EncryptionContext, workspace: "v" }, { purpose: "p" }, undefined]) {
    await expect(decrypt(wrong)).rejects.toMatchObject({ name: "InvalidCiphertextException" });
  }
});

test("an invalid, truncated or changed ciphertext fails with the same error", async () => {
  const client = await kmsOn(temporaryFolder());
  const { CiphertextBlob = new Uint8Array() } = await client.send(
    new EncryptCommand({ KeyId, Plaintext: Buffer.from("secret"), EncryptionContext }),
  );
  const changed = Uint8Array.from(CiphertextBlob, (byte, index) => (index === 20 ? byte ^ 1 : byte));
  for (const blob of [changed, CiphertextBlob.slice(0, -1), CiphertextBlob.slice(0, 5), Buffer.from("x")]) {
    const decrypted = client.send(new DecryptCommand({ CiphertextBlob: blob, EncryptionContext }));
    await expect(decrypted).rejects.toMatchObject({
      name: "InvalidCiphertextException",
      $metadata: { httpStatusCode: 400 },
    });
  }
});

test("a folder's key is kept after a restart, readable by its owner only, and unlike other folders' keys", async () => {
  const dir = temporaryFolder();
  const { CiphertextBlob } = await (await kmsOn(dir)).send(
    new EncryptCommand({ KeyId, Plaintext: Buffer.from("secret") }),
  );
  const path = join(dir, "kms.key");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path)).toHaveLength(32);
  const decrypted = await (await kmsOn(dir)).send(new DecryptCommand({ CiphertextBlob }));
  expect(Buffer.from(decrypted.Plaintext ?? []).toString()).toBe("secret");
  const elsewhere = (await kmsOn(temporaryFolder())).send(new DecryptCommand({ CiphertextBlob }));
  await expect(elsewhere).rejects.toMatchObject({ name: "InvalidCiphertextException" });
});

test("an unknown key fails with NotFoundException", async () => {
  const client = await kmsOn(temporaryFolder());
  const made = client.send(new GenerateDataKeyCommand({ KeyId: "alias/other", KeySpec: "AES_256" }));
  await expect(made).rejects.toMatchObject({ name: "NotFoundException" });
});

test("replies name the key by its ARN, by which requests can name it too", async () => {
  const client = await kmsOn(temporaryFolder());
  const { KeyId: arn = "", CiphertextBlob } = await client.send(
    new GenerateDataKeyCommand({ KeyId, KeySpec: "AES_256" }),
  );
  expect(arn).toMatch(/^arn:aws:kms:us-east-1:000000000000:key\/[\da-f-]{36}$/);
  for (const name of [arn, arn.split("/")[1], arn.replace(/key\/.*/, KeyId), undefined])
    expect((await client.send(new DecryptCommand({ CiphertextBlob, KeyId: name }))).KeyId).toBe(arn);
});

test("a text of another key fails with IncorrectKeyException", async () => {
  const client = await kmsOn(temporaryFolder());
  const { KeyMetadata: other } = await client.send(new CreateKeyCommand({}));
  const Plaintext = Buffer.from("secret");
  const { CiphertextBlob } = await client.send(new EncryptCommand({ KeyId: other?.KeyId, Plaintext }));
  const decrypt = (name?: string) => client.send(new DecryptCommand({ CiphertextBlob, KeyId: name }));
  expect((await decrypt()).KeyId).toBe(other?.Arn);
  expect((await decrypt(other?.KeyId)).KeyId).toBe(other?.Arn);
  await expect(decrypt(KeyId)).rejects.toMatchObject({ name: "IncorrectKeyException" });
});

test("a key that is disabled or will be deleted cannot be used, until it is enabled again", async () => {
  const client = await kmsOn(temporaryFolder());
  const Plaintext = Buffer.from("secret");
  const { CiphertextBlob, KeyId: arn } = await client.send(new EncryptCommand({ KeyId, Plaintext }));
  const uses = () => [
    client.send(new DecryptCommand({ CiphertextBlob })),
    client.send(new DecryptCommand({ CiphertextBlob, KeyId })),
    client.send(new EncryptCommand({ KeyId, Plaintext })),
    client.send(new GenerateDataKeyCommand({ KeyId, KeySpec: "AES_256" })),
  ];
  const refused = async (name: string, message: string) => {
    for (const use of uses()) await expect(use).rejects.toMatchObject({ name, message: `${arn} ${message}.` });
  };
  await client.send(new DisableKeyCommand({ KeyId }));
  await refused("DisabledException", "is disabled");
  await client.send(new ScheduleKeyDeletionCommand({ KeyId }));
  await refused("KMSInvalidStateException", "is pending deletion");
  const enable = () => client.send(new EnableKeyCommand({ KeyId }));
  await expect(enable()).rejects.toMatchObject({ name: "KMSInvalidStateException" });
  await client.send(new CancelKeyDeletionCommand({ KeyId }));
  await refused("DisabledException", "is disabled");
  await enable();
  await Promise.all(uses());
});
