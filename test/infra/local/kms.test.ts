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

test("a data key decrypts only with its own context, in any order of its fields", async () => {
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

test("invalid, cut and changed ciphertexts fail in the same way", async () => {
  const client = await kmsOn(temporaryFolder());
  const { CiphertextBlob = new Uint8Array() } = await client.send(
    new EncryptCommand({ KeyId, Plaintext: Buffer.from("secret"), EncryptionContext }),
  );
  const changed = Uint8Array.from(CiphertextBlob, (byte, index) => (index === 20 ? byte ^ 1 : byte));
  for (const blob of [changed, CiphertextBlob.slice(0, -1), CiphertextBlob.slice(0, 5), Buffer.from("x")]) {
    const opened = client.send(new DecryptCommand({ CiphertextBlob: blob, EncryptionContext }));
    await expect(opened).rejects.toMatchObject({
      name: "InvalidCiphertextException",
      $metadata: { httpStatusCode: 400 },
    });
  }
});

test("the folder's key decrypts after a restart, is readable by its owner only, and opens no other folder's data", async () => {
  const dir = temporaryFolder();
  const { CiphertextBlob } = await (await kmsOn(dir)).send(
    new EncryptCommand({ KeyId, Plaintext: Buffer.from("secret") }),
  );
  const path = join(dir, "kms.key");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path)).toHaveLength(32);
  const opened = await (await kmsOn(dir)).send(new DecryptCommand({ CiphertextBlob }));
  expect(Buffer.from(opened.Plaintext ?? []).toString()).toBe("secret");
  const elsewhere = (await kmsOn(temporaryFolder())).send(new DecryptCommand({ CiphertextBlob }));
  await expect(elsewhere).rejects.toMatchObject({ name: "InvalidCiphertextException" });
});

test("an unknown key is not found", async () => {
  const client = await kmsOn(temporaryFolder());
  const made = client.send(new GenerateDataKeyCommand({ KeyId: "alias/other", KeySpec: "AES_256" }));
  await expect(made).rejects.toMatchObject({ name: "NotFoundException" });
});
