import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DecryptCommand, EncryptCommand, GenerateDataKeyCommand, KMSClient } from "@aws-sdk/client-kms";
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
