import { expect, test } from "vitest";
import { displayName } from "../../../../lib/messages/render/user-text.ts";

test.each([
  ["Example & Co", "Example & Co"],
  ["security@bank.example", "security bank.example"],
  ['x" <ceo@example.com>', 'x" ceo example.com'],
  ["Line\r\nBcc: eve@example.com", "Line Bcc: eve example.com"],
  ["=?utf-8?B?Y2VvQGJhbmsuZXhhbXBsZQ==?=", "= ?utf-8?B?Y2VvQGJhbmsuZXhhbXBsZQ== ?="],
  ["Acme, Inc. (QA)", "Acme, Inc. (QA)"],
  ["👨‍👩‍👧 می‌خواهم", "👨‍👩‍👧 می‌خواهم"],
  ["\u202Eevil\u200B", "evil"],
  ["é".repeat(80), "é".repeat(64)],
  ["😀".repeat(80), "😀".repeat(32)],
])("%j is shown as %j", (given, expected) => expect(displayName(given)).toBe(expected));
