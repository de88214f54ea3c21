import { createHash, randomBytes } from "node:crypto";
import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { inCall, newCall } from "../../lib/call.ts";
import { type Purpose, purposes, type SecretContext, SecretError, seal, sealWithSharedKey } from "../../lib/secrets.ts";
import fc from "../support/property.ts";
import { unseal } from "../support/unsealed.ts";

const alice: SecretContext = { workspace: "alice", purpose: purposes.emailApiKey };
const kms = mockClient(KMSClient);

function kmsError(name: string): Error {
  return Object.assign(new Error(`${name} of KMS`), { name });
}

const dataKeys = new Map<string, Uint8Array>();

/** A KMS that binds data keys to their context, as the real one does. */
function fakeKms(): void {
  const hashOf = (blob: Uint8Array, context: unknown) =>
    createHash("sha256").update(blob).update(JSON.stringify(context)).digest("hex");
  kms.on(GenerateDataKeyCommand).callsFake(({ EncryptionContext }) => {
    const CiphertextBlob = randomBytes(64);
    const Plaintext = new Uint8Array(randomBytes(32));
    dataKeys.set(hashOf(CiphertextBlob, EncryptionContext), Plaintext.slice());
    return { CiphertextBlob, Plaintext };
  });
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob, EncryptionContext }) => {
    const Plaintext = dataKeys.get(hashOf(CiphertextBlob, EncryptionContext));
    if (!Plaintext) throw kmsError("InvalidCiphertextException");
    return { Plaintext: Plaintext.slice() };
  });
}

const decryptCalls = () => kms.commandCalls(DecryptCommand).length;

async function failureOf(sealed: string, context = alice): Promise<Error> {
  return unseal(sealed, context).then(
    () => expect.fail("the value was unsealed"),
    (error: Error) => error,
  );
}

beforeEach(() => {
  vi.stubEnv("KMS_KEY_ID", "alias/secrets");
  vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 });
  kms.reset();
  fakeKms();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe("seal and unseal", () => {
  test("return the same text, whatever it contains", async () => {
    for (const text of ["", "sk-123", "päss \u{1F511} \u0000 \n.", "x".repeat(100_000)]) {
      expect(await unseal(await seal(text, alice), alice)).toBe(text);
    }
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary" }),
        async (text) => (await unseal(await seal(text, alice), alice)) === text,
      ),
    );
  });

  test("make exactly one call to KMS each, and count it", async () => {
    const record = newCall("r");
    await inCall(record, async () => unseal(await seal("text", alice), alice));
    const [generate, decrypt, ...more] = kms.calls();
    const EncryptionContext = { workspace: "alice", purpose: "email-api-key" };
    expect(generate?.args[0].input).toEqual({ KeyId: "alias/secrets", KeySpec: "AES_256", EncryptionContext });
    expect(decrypt?.args[0].input).toEqual({
      CiphertextBlob: expect.any(Buffer),
      KeyId: "alias/secrets",
      EncryptionContext,
    });
    const optionsOf = (call: { args: unknown[] } | undefined) => call?.args[1];
    expect([generate, decrypt].map(optionsOf)).toEqual([
      { abortSignal: record.signal },
      { abortSignal: record.signal },
    ]);
    expect(more).toEqual([]);
    expect(record.cost.kmsCalls).toBe(2);
  });

  test("work outside a call, without a signal", async () => {
    await seal("text", alice);
    expect((kms.call(0).args as unknown[])[1]).toEqual({});
  });

  test("give the same text a new value each time, in the documented format", async () => {
    const [first, second] = [await seal("text", alice), await seal("text", alice)];
    expect(first).not.toBe(second);
    expect(first).toMatch(/^v1\.[\w-]+\.[\w-]{16}\.[\w-]{27}$/);
    expect(first).not.toContain("text");
  });

  test("ignore the order of the context's fields", async () => {
    expect(await unseal(await seal("text", alice), { purpose: purposes.emailApiKey, workspace: "alice" })).toBe("text");
  });

  test("overwrite the plaintext data keys that KMS returned", async () => {
    const returned: Uint8Array[] = [];
    const newKey = () => {
      const Plaintext = new Uint8Array(randomBytes(32));
      returned.push(Plaintext);
      return { CiphertextBlob: randomBytes(64), Plaintext };
    };
    kms.on(GenerateDataKeyCommand).callsFake(newKey);
    kms.on(DecryptCommand).callsFake(newKey);
    await failureOf(await seal("text", alice));
    expect(returned.map((key) => key.every((byte) => byte === 0))).toEqual([true, true]);
  });
});

describe("a value cannot be unsealed", () => {
  test("when any part is malformed or from another value, always with the same message", async () => {
    const sealed = await seal("text", alice);
    const other = await seal("text", { ...alice, workspace: "bob" });
    const [version, key, iv, body] = sealed.split(".") as [string, string, string, string];
    const [, otherKey, otherIv, otherBody] = other.split(".") as [string, string, string, string];
    const wrong: Record<string, string> = {
      empty: "",
      version: ["v2", key, iv, body].join("."),
      "a part less": [version, key, iv].join("."),
      "a part more": `${sealed}.AA`,
      "key empty": [version, "", iv, body].join("."),
      "key too long": [version, Buffer.alloc(6_145).toString("base64url"), iv, body].join("."),
      "key of another": [version, otherKey, iv, body].join("."),
      "iv of another": [version, key, otherIv, body].join("."),
      "iv too long": [version, key, `${iv}AAAA`, body].join("."),
      "body of another": [version, key, iv, otherBody].join("."),
      "body shorter than a tag": [version, key, iv, "AAAA"].join("."),
      "body cut": [version, key, iv, Buffer.from(body, "base64url").subarray(1).toString("base64url")].join("."),
      "plain base64": [version, key, iv, "+/+/+/+/+/+/+/+/+/+/+/+/"].join("."),
      padded: `${sealed}=`,
      "a line break": `${sealed}\n`,
      "of another workspace": other,
    };
    const errors = await Promise.all(Object.values(wrong).map((value) => failureOf(value)));
    for (const error of errors) {
      expect(error).toBeInstanceOf(SecretError);
      expect(String(error)).toBe("SecretError: The sealed value could not be opened.");
      expect(error.cause).toBeDefined();
    }
    // Only the five well-formed values are sent to KMS.
    expect(decryptCalls()).toBe(5);
  });

  test("when any character is changed, with a cold and a warm cache", async () => {
    const sealed = await seal("text", alice);
    for (const round of ["cold", "warm"]) {
      for (let at = 0; at < sealed.length; at++) {
        const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
        expect(await failureOf(changed), `${round} ${at}`).toBeInstanceOf(SecretError);
      }
      expect(await unseal(sealed, alice)).toBe("text");
    }
  });

  test.each([
    { workspace: "bob", purpose: purposes.emailApiKey },
    { workspace: "alice", purpose: purposes.webhookSecret },
    { workspace: "email-api-key", purpose: "alice" as Purpose },
    { workspace: 'alice","purpose":"email-api-key', purpose: "" as Purpose },
  ])("under another context, even when its data key is cached: %j", async (context) => {
    const sealed = await seal("text", alice);
    expect(await failureOf(sealed, context)).toBeInstanceOf(SecretError);
    await unseal(sealed, alice);
    const calls = decryptCalls();
    expect(await failureOf(sealed, context)).toBeInstanceOf(SecretError);
    expect(decryptCalls()).toBe(calls + 1);
  });

  test("under another context, even when KMS does not check the context", async () => {
    const dataKey = randomBytes(32);
    kms
      .on(GenerateDataKeyCommand)
      .callsFake(() => ({ CiphertextBlob: randomBytes(64), Plaintext: new Uint8Array(dataKey) }));
    kms.on(DecryptCommand).callsFake(() => ({ Plaintext: new Uint8Array(dataKey) }));
    const sealed = await seal("text", alice);
    expect(await unseal(sealed, alice)).toBe("text");
    expect(await failureOf(sealed, { ...alice, workspace: "bob" })).toBeInstanceOf(SecretError);
  });

  test("when KMS did not seal its data key", async () => {
    kms.on(DecryptCommand).rejects(kmsError("IncorrectKeyException"));
    expect(await failureOf(await seal("text", alice))).toBeInstanceOf(SecretError);
  });
});

describe("a failure of KMS", () => {
  const unchanged = [
    ...["ThrottlingException", "KMSInternalException", "DependencyTimeoutException"],
    ...["KeyUnavailableException", "AccessDeniedException"],
  ].map((name) => [name, { name }] as const);
  const unusable = ["DisabledException", "KMSInvalidStateException", "NotFoundException"].map(
    (name) => [name, { status: "UNAVAILABLE", cause: { name } }] as const,
  );
  test.each([...unchanged, ...unusable])("is thrown, and the next try can succeed: %s", async (name, thrown) => {
    const sealed = await seal("text", alice);
    kms.on(DecryptCommand).rejects(kmsError(name));
    expect(await failureOf(sealed)).toMatchObject(thrown);
    fakeKms();
    expect(await unseal(sealed, alice)).toBe("text");
    kms.on(GenerateDataKeyCommand).rejects(kmsError(name));
    await expect(seal("text", alice)).rejects.toMatchObject(thrown);
  });

  test("is an error that says so when a response has no data key", async () => {
    const sealed = await seal("text", alice);
    kms.on(DecryptCommand).resolves({});
    kms.on(GenerateDataKeyCommand).resolves({});
    expect(String(await failureOf(sealed))).toBe("Error: KMS returned no data key.");
    await expect(seal("text", alice)).rejects.toThrow("KMS returned no data key.");
  });
});

describe("sealWithSharedKey", () => {
  const dataKeyOf = (sealed: string) => sealed.split(".")[1];
  const generateCalls = () => kms.commandCalls(GenerateDataKeyCommand).length;

  test("seals values of one context with one data key for five minutes, each differently", async () => {
    const [first, second] = [await sealWithSharedKey("text", alice), await sealWithSharedKey("text", alice)];
    expect(first).not.toBe(second);
    expect(dataKeyOf(first)).toBe(dataKeyOf(second));
    expect(await unseal(second, alice)).toBe("text");
    expect([generateCalls(), decryptCalls()]).toEqual([1, 0]);
    vi.setSystemTime(Date.now() + 5 * 60_000);
    expect(dataKeyOf(await sealWithSharedKey("text", alice))).not.toBe(dataKeyOf(first));
    expect(await unseal(first, alice)).toBe("text");
    expect([generateCalls(), decryptCalls()]).toEqual([2, 1]);
  });

  test("uses another data key for each context, and its values open under their own context only", async () => {
    const others = [
      { ...alice, workspace: "carol" },
      { ...alice, purpose: purposes.idempotentReply },
    ];
    const mine = await sealWithSharedKey("text", alice);
    for (const context of others) {
      expect(dataKeyOf(await sealWithSharedKey("text", context))).not.toBe(dataKeyOf(mine));
      expect(await failureOf(mine, context)).toBeInstanceOf(SecretError);
    }
  });

  test("asks KMS again after a failure", async () => {
    const context = { ...alice, workspace: "dave" };
    kms.on(GenerateDataKeyCommand).rejects(kmsError("ThrottlingException"));
    await expect(sealWithSharedKey("text", context)).rejects.toMatchObject({ name: "ThrottlingException" });
    fakeKms();
    expect(await unseal(await sealWithSharedKey("text", context), context)).toBe("text");
  });
});

describe("the cache of data keys", () => {
  test("unseals a value again without KMS for five minutes", async () => {
    const sealed = await seal("text", alice);
    await unseal(sealed, alice);
    vi.setSystemTime(Date.now() + 5 * 60_000 - 1);
    await unseal(sealed, alice);
    expect(decryptCalls()).toBe(1);
    vi.setSystemTime(Date.now() + 1);
    await unseal(sealed, alice);
    expect(decryptCalls()).toBe(2);
  });

  test("has the hundred most recently used keys", async () => {
    const values = await Promise.all(Array.from({ length: 101 }, () => seal("text", alice)));
    const [first, second, ...others] = values as [string, string, ...string[]];
    for (const value of [first, second, ...others.slice(0, 98), first, others[98] as string])
      await unseal(value, alice);
    expect(decryptCalls()).toBe(101);
    await unseal(first, alice);
    expect(decryptCalls()).toBe(101);
    await unseal(second, alice);
    expect(decryptCalls()).toBe(102);
  });

  test("does not cache failures", async () => {
    const sealed = await seal("text", alice);
    await failureOf(sealed, { ...alice, workspace: "bob" });
    await failureOf(sealed, { ...alice, workspace: "bob" });
    expect(decryptCalls()).toBe(2);
  });
});
