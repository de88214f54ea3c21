import { expect, test } from "vitest";
import { mailAddress } from "../../../lib/schema/mail-address.ts";

test.each([
  ["bob@example.com", "bob@example.com"],
  [" Bob+x@EXAMPLE.com ", "Bob+x@example.com"],
  ["bob@bücher.example", "bob@xn--bcher-kva.example"],
])("%s is %s", (given, expected) => expect(mailAddress(given)).toBe(expected));

test.each([
  "",
  "bob",
  "bob@",
  "@example.com",
  "bob@localhost",
  "bob@10.0.0.1",
  "a b@example.com",
  "bob@example.com\r\nBcc: eve@example.com",
  "bob@example.com, eve@example.com",
  "Bob <bob@example.com>",
  ".bob@example.com",
  "b..ob@example.com",
  "jörg@example.com",
  `${"a".repeat(65)}@example.com`,
  `bob@${"a.".repeat(100)}com`,
  `bob@${"例".repeat(20_000)}.com`,
])("%j is no address that mail reaches", (given) => expect(mailAddress(given)).toBeUndefined());
