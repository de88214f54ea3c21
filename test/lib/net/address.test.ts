import ipaddr from "ipaddr.js";
import { describe, expect, test } from "vitest";
import { inBlocks, isPublic } from "../../../lib/net/address.ts";
import { refusedRanges } from "../../support/net/ranges.ts";
import fc from "../../support/property.ts";

describe("isPublic", () => {
  test.each(Object.entries(refusedRanges))("is false for the addresses of the range: %s", (_range, addresses) => {
    expect(addresses.filter(isPublic)).toEqual([]);
  });

  test("is true for the addresses next to those ranges", () => {
    const neighbours =
      `1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.17
      169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255
      198.20.0.0 223.255.255.255 2001:200::1 2001:db7::1 2001:db9::1 2003::1 2606:4700::1111 3ffe::1`.split(/\s+/);
    expect(neighbours.filter((address) => !isPublic(address))).toEqual([]);
  });

  test("is false for every address that ipaddr.js knows as special", () => {
    const isAgreed = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
      address.range() === "unicast" || !isPublic(address.toString());
    fc.assert(fc.property(fc.ipV4(), (text) => isAgreed(ipaddr.parse(text))));
    fc.assert(fc.property(fc.ipV6(), (text) => isAgreed(ipaddr.parse(text))));
    // Random addresses seldom lie in a small range. These lie near the exceptions.
    const near = fc.tuple(fc.constantFrom(0x2001, 0x2002, 0x2620, 0x3fff), fc.nat(0xffff), fc.nat(0xffff));
    fc.assert(fc.property(near, ([a, b, c]) => isAgreed(new ipaddr.IPv6([a, b, c, 0, 0, 0, 0, 1]))));
  });

  test("is true for every IPv4 address that ipaddr.js knows as unicast, except Azure's host agent", () => {
    const isAgreed = (text: string) => isPublic(text) === (ipaddr.parse(text).range() === "unicast");
    fc.assert(fc.property(fc.ipV4(), isAgreed), { numRuns: 1_000 });
  });
});

describe("inBlocks", () => {
  test("reads blocks and addresses of both families, separated by commas or spaces", () => {
    const isListed = inBlocks("10.1.0.0/16, 192.168.1.7,fd00::/8 ::1");
    expect(["10.1.2.3", "192.168.1.7", "fd12::1", "::1"].filter(isListed)).toHaveLength(4);
    expect(["10.2.0.0", "192.168.1.8", "fe80::1", "::2", "::ffff:10.1.2.3"].filter(isListed)).toEqual([]);
  });

  test("is false for an empty list", () => {
    expect(inBlocks("")("10.0.0.1")).toBe(false);
  });

  test.each([
    "10.0.0.0/33",
    "::/129",
    "10.0.0/8",
    "localhost",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "fe80::%1/64",
  ])("refuses the entry %s", (cidr) => {
    expect(() => inBlocks(cidr)).toThrow("is not a CIDR block");
  });
});
