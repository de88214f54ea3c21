import { describe, expect, it } from "vitest";
import { labelOf, namesOf, unusedGrants, without } from "./labels.ts";
import { allowing, isAllowed, type Statement, statementsOf } from "./policy.ts";

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
    expect(isAllowed([allow({ Action: "dynamodb:*" })], need)).toBe(true);
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

describe("a policy", () => {
  it("has a statement for each action", () => {
    const role = statementsOf([{ ...allow(), Action: ["dynamodb:GetItem", "dynamodb:UpdateItem"] }]);
    expect(role.map(({ Action }) => Action)).toEqual(["dynamodb:GetItem", "dynamodb:UpdateItem"]);
    expect(allowing(role, need)).toEqual([role[1]]);
  });

  it.each([
    ["the operator Bool", { Condition: { Bool: { "kms:EncryptionContext:a": "true" } } }, "Bool"],
    ["the operator constructor", { Condition: { constructor: { "kms:EncryptionContext:a": "1" } } }, "constructor"],
    ["another operator for all values", { Condition: { "ForAllValues:ArnLike": {} } }, "ForAllValues:ArnLike"],
    ["the key aws:SourceIp", { Condition: { StringEquals: { "aws:SourceIp": "::1" } } }, "aws:SourceIp"],
    ["NotResource", { NotResource: "*" }, "NotResource"],
  ])("with %s is refused, because nothing here evaluates it", (_, more, named) => {
    expect(() => statementsOf([{ ...allow(), ...more } as Statement])).toThrow(`does not know ${named} in a statement`);
  });
});

describe("the names of permissions", () => {
  const secret = (purpose: string) =>
    allow({ Action: "kms:Decrypt", Condition: { StringEquals: { "kms:EncryptionContext:purpose": purpose } } });
  const calls = allow({ Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["W#*#%CALLS"] } } });
  const index = allow({ Action: "dynamodb:Query", Resource: `${table}/index/due` });
  const send = allow({ Action: "sqs:SendMessage", Resource: "arn:aws:sqs:us-east-1:000000000000:purge" });
  const role = [allow(), calls, index, send, secret("a"), secret("b")];

  it("tell all of a role from each other", () => {
    expect(namesOf(role)).toEqual([
      "dynamodb:UpdateItem",
      "dynamodb:UpdateItem W#*#%CALLS",
      "dynamodb:Query due",
      "sqs:SendMessage purge",
      "kms:Decrypt a",
      "kms:Decrypt b",
    ]);
    expect(without(role, "kms:Decrypt a")).toEqual(role.toSpliced(4, 1));
  });

  it("are those of what requests need, without the partitions", () => {
    expect(labelOf({ ...need, context: { "dynamodb:LeadingKeys": ["W#w#%CALLS"] } })).toBe("dynamodb:UpdateItem");
    expect(labelOf({ action: "dynamodb:Query", resource: `${table}/index/due` })).toBe("dynamodb:Query due");
  });

  it("are those of a grant together, which is unused if none of them is used", () => {
    const read = statementsOf([{ ...allow(), Action: ["dynamodb:GetItem", "dynamodb:Query"] }]);
    const all = [...read, ...statementsOf([secret("a"), secret("b")])];
    expect(unusedGrants(all, new Set(["dynamodb:Query", "kms:Decrypt b"]))).toEqual(["kms:Decrypt a"]);
    expect(unusedGrants(read, new Set())).toEqual(["dynamodb:GetItem, dynamodb:Query"]);
  });
});
