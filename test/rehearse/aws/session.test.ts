import { describe, expect, it } from "vitest";
import type { Need, Statement } from "./policy.ts";
import { firstDenied, newSession, noteLacking } from "./session.ts";

const reading: Statement = { Effect: "Allow", Action: "s3:GetObject", Resource: "*" };
const sending: Statement = { Effect: "Allow", Action: "sqs:SendMessage", Resource: "arn:aws:sqs:::purge" };
const read: Need = { action: "s3:GetObject", resource: "arn:aws:s3:::files/one" };
const send: Need = { action: "sqs:SendMessage", resource: "arn:aws:sqs:::purge" };

const names = { reading: "s3:GetObject", sending: "sqs:SendMessage purge" };

describe("a permission that was taken from the role", () => {
  it("is denied once, and comes back as missed", () => {
    const session = newSession("purge", [reading, sending], [names.reading, names.sending]);
    expect(firstDenied(session, [read])).toEqual(read);
    expect(firstDenied(session, [read])).toBeUndefined();
    expect([...session.missed]).toEqual([names.reading]);
    expect([...session.denials]).toEqual([]);
    expect(session.role).toEqual([reading]);
  });

  it("comes back when a request would need it later", () => {
    const session = newSession("purge", [reading, sending], [names.sending]);
    noteLacking(session, [send]);
    expect([...session.missed]).toEqual([names.sending]);
    expect(firstDenied(session, [send])).toBeUndefined();
  });

  it("is not missed when another permission of the whole role allows the same", () => {
    const any: Statement = { ...reading, Action: "s3:*" };
    const session = newSession("purge", [reading, any], [names.reading, "s3:*"]);
    expect(firstDenied(session, [read])).toEqual(read);
    expect(firstDenied(session, [read])).toBeUndefined();
    expect([...session.missed]).toEqual([]);
    const alone = newSession("purge", [reading, any], [names.reading]);
    expect(firstDenied(alone, [read])).toBeUndefined();
    expect([...alone.missed]).toEqual([]);
  });
});

it("what the whole role lacks stays denied", () => {
  const session = newSession("purge", [reading], [names.reading]);
  expect(firstDenied(session, [send])).toEqual(send);
  expect(firstDenied(session, [send])).toEqual(send);
  expect([...session.denials]).toEqual([names.sending]);
  expect([...session.missed]).toEqual([]);
});
