import { describe, expect, it } from "vitest";
import { without } from "./labels.ts";
import { isAllowed, type Statement } from "./policy.ts";

const table = "arn:aws:dynamodb:us-east-1:000000000000:table/t";
const allow = (more: Partial<Statement> = {}): Statement => ({
  Effect: "Allow",
  Action: "dynamodb:UpdateItem",
  Resource: table,
  ...more,
});
const need = { action: "dynamodb:UpdateItem", resource: table };

describe("a need is allowed", () => {
  it("if a statement names its action and its resource", () => {
    expect(isAllowed([allow()], need)).toBe(true);
    expect(isAllowed([allow({ Action: ["dynamodb:GetItem", "dynamodb:UpdateItem"] })], need)).toBe(true);
    expect(isAllowed([allow({ Action: "dynamodb:GetItem" })], need)).toBe(false);
    expect(isAllowed([allow({ Resource: `${table}/index/sweep` })], need)).toBe(false);
    expect(isAllowed([], need)).toBe(false);
  });

  it("unless another statement denies it", () => {
    expect(isAllowed([allow(), allow({ Effect: "Deny" })], need)).toBe(false);
  });

  it("if the resource matches a wildcard, whose other characters stand for themselves", () => {
    const file = { action: "s3:GetObject", resource: "arn:aws:s3:::files/w/a+b" };
    const files = (Resource: string) => [allow({ Action: "s3:GetObject", Resource })];
    expect(isAllowed(files("arn:aws:s3:::files/*"), file)).toBe(true);
    expect(isAllowed(files("arn:aws:s3:::files/w/a+?"), file)).toBe(true);
    expect(isAllowed(files("arn:aws:s3:::files"), file)).toBe(false);
    expect(isAllowed(files("arn:aws:s3.::files/*"), file)).toBe(false);
  });

  it("if each partition key matches the pattern", () => {
    const calls = allow({ Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["W#*#%CALLS"] } } });
    const of = (...keys: string[]) => ({ ...need, context: { "dynamodb:LeadingKeys": keys } });
    expect(isAllowed([calls], of("W#w#%CALLS"))).toBe(true);
    expect(isAllowed([calls], of("W#w#%CALLS", "W#w"))).toBe(false);
    expect(isAllowed([calls], need)).toBe(true);
  });

  it("if the encryption context has the purpose", () => {
    const Condition = { StringEquals: { "kms:EncryptionContext:purpose": "signing-key" } };
    const unseal = allow({ Action: "kms:Decrypt", Condition });
    const of = (purpose: string) => ({
      action: "kms:Decrypt",
      resource: table,
      context: { "kms:EncryptionContext:purpose": [purpose] },
    });
    expect(isAllowed([unseal], of("signing-key"))).toBe(true);
    expect(isAllowed([unseal], of("webhook-secret"))).toBe(false);
    expect(isAllowed([unseal], { action: "kms:Decrypt", resource: table })).toBe(false);
  });
});

it("an operator of conditions that is not known fails, so that it is not ignored", () => {
  const unknown = allow({ Condition: { Bool: { "aws:SecureTransport": "true" } } });
  expect(() => isAllowed([unknown], need)).toThrow("Bool");
});

it("a permission is taken from a role by action, and by the purpose of a secret or the queue", () => {
  const secret = (purpose: string) =>
    allow({ Action: "kms:Decrypt", Condition: { StringEquals: { "kms:EncryptionContext:purpose": purpose } } });
  const role = [allow({ Action: ["dynamodb:GetItem", "dynamodb:Query"] }), secret("a"), secret("b")];
  expect(without(role, "dynamodb:Query")).toEqual([
    allow({ Action: ["dynamodb:GetItem"] }),
    ...without(role.slice(1), ""),
  ]);
  expect(without(role, "kms:Decrypt a").map(({ Condition }) => Condition)).toEqual([undefined, secret("b").Condition]);
});
