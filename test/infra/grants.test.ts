import { expect, test } from "vitest";
import { deployables } from "../../infra/deployables.ts";
import { idempotencyGrants } from "../../lib/grants.ts";
import { allPurposes, purposes } from "../../lib/purposes.ts";
import { synth } from "../support/synth.ts";

test("grants.txt has the grants of every function: else look at the change, then run `npm run update`", async () => {
  const lines = deployables.map((each) => {
    const what = each.kind === "endpoint" ? each.path : `(worker) ${each.name}`;
    return `${what} → ${each.grants.join(", ") || "nothing"}\n`;
  });
  await expect(lines.sort().join("")).toMatchFileSnapshot("grants.txt");
});

const stack = synth(deployables, { live: true });

/** The functions whose role in the stack lets them unseal values of the purpose. */
function unsealing(purpose: string): string[] {
  const unseals = deployables.filter((each) =>
    stack.allowed(each).some(({ Action, Condition }) => {
      return Action === "kms:Decrypt" && Condition?.StringEquals?.["kms:EncryptionContext:purpose"] === purpose;
    }),
  );
  return unseals.map(({ name }) => name).sort();
}

test("only the functions that use a kind of secret may unseal it", () => {
  const functions = Object.fromEntries(allPurposes.map((each) => [each, unsealing(each)]));
  const { [purposes.idempotentReply]: replies, ...secrets } = functions;
  const withAiKeys = ["ask-ai", "draft", "memory-ask"];
  expect(secrets).toEqual({
    "email-api-key": ["emailconfig-get", "emailconfig-test", "emailconfig-update", "message"],
    "slack-bot-token": ["message"],
    "address-hash": [
      "emailconfig-test",
      "feedback",
      "message",
      "messages-suppressions-delete",
      "messages-suppressions-get",
    ],
    "permission-provider": ["live-open", "message", "notify", "permissionproviderconfig-get", "permissions-get"],
    "signing-key": ["token-generate"],
    "records-key": ["activities-checkpoint-get", "purge"],
    "erasure-task": ["purge"],
    "webhook-secret": ["drain", "webhook-secret-get"],
    "ai-key-openai": withAiKeys,
    "ai-key-anthropic": withAiKeys,
    "ai-key-gemini": withAiKeys,
  });
  const writing = deployables.filter(({ grants }) => idempotencyGrants.every((grant) => grants.includes(grant)));
  expect(replies).toEqual(writing.map(({ name }) => name).sort());
});

test("no role may use the key without the condition on the purpose", () => {
  const statements = deployables
    .flatMap((each) => stack.allowed(each))
    .filter(({ Action }) => /kms:/.test(String(Action)));
  const known = new Set<string>(allPurposes);
  const purposeOf = (each: (typeof statements)[number]) =>
    each.Condition?.StringEquals?.["kms:EncryptionContext:purpose"];
  expect(statements.filter((each) => !known.has(String(purposeOf(each))))).toEqual([]);
});

test("every role that may read files may list them: else S3 answers 403 for a missing file, which is then tried again", () => {
  const mayOn = (each: (typeof deployables)[number], action: string) =>
    stack.allowed(each).find(({ Action, Condition }) => [Action].flat().includes(action) && !Condition)?.Resource;
  const readers = deployables.filter((each) => mayOn(each, "s3:GetObject"));
  expect(readers.length).toBeGreaterThan(1);
  const bucket = stack.arn("AWS::S3::Bucket");
  expect(readers.filter((each) => JSON.stringify(mayOn(each, "s3:ListBucket")) !== JSON.stringify(bucket))).toEqual([]);
});
