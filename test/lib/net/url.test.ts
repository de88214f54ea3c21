import { afterEach, describe, expect, test, vi } from "vitest";
import { egress } from "../../../lib/net/egress.ts";
import { checkUrl } from "../../../lib/net/url.ts";

const publicOnly = egress("");
const notPublic = "The URL does not lead to a public address.";

describe("checkUrl", () => {
  test.each([
    "https://example.com/hook?a=b#c",
    "http://example.com:8080",
    "https://8.8.8.8/",
    "https://[2606:4700::1]/",
  ])("accepts %s", (url) => {
    expect(checkUrl(url, publicOnly)).toBeUndefined();
  });

  test("does not parse a longer URL: the letters of a host take a time that grows with their square", () => {
    const parsed = vi.spyOn(URL, "parse");
    expect(checkUrl(`https://${"例".repeat(4_089)}`, publicOnly)).toBe("The URL must have at most 4,096 characters.");
    expect(parsed).not.toHaveBeenCalled();
    parsed.mockRestore();
    expect(checkUrl(`https://example.com/${"a".repeat(4_076)}`, publicOnly)).toBeUndefined();
  });

  test.each([
    ["dotted", "http://127.0.0.1/"],
    ["short", "http://127.1/"],
    ["decimal", "http://2130706433/"],
    ["octal", "http://0177.0.0.01/"],
    ["hexadecimal", "http://0x7f000001/"],
    ["mixed", "http://0x7f.0.1/"],
    ["zero", "http://0/"],
    ["with a trailing dot", "http://127.0.0.1./"],
    ["percent-encoded", "http://127%2e0%2e0%2e1/"],
    ["full-width", "http://１２７.０.０.１/"],
    ["circled", "http://①②⑦.0.0.1/"],
    ["metadata in decimal", "http://2852039166/latest/meta-data"],
    ["with a port", "https://10.0.0.1:8443/"],
    ["IPv6 loopback", "http://[::1]/"],
    ["v4-mapped", "http://[::ffff:127.0.0.1]/"],
    ["v4-compatible", "http://[::127.0.0.1]/"],
    ["NAT64", "http://[64:ff9b::10.0.0.1]/"],
    ["6to4", "http://[2002:a00:1::]/"],
    ["unique local", "http://[fd00:ec2::254]/"],
    ["localhost", "http://localhost/"],
    ["localhost with a trailing dot", "http://LocalHost./"],
    ["under localhost", "http://a.localhost:3000/"],
  ])("refuses a private address in the notation: %s", (_notation, url) => {
    expect(checkUrl(url, publicOnly)).toBe(notPublic);
  });

  const label = "a".repeat(63);
  const longest = `${label}.${label}.${label}.${"b".repeat(57)}.com`;

  test("refuses a host that no name server can know", () => {
    for (const host of [`${label}.${label}.com.`, longest, `${longest}.`]) {
      expect(checkUrl(`https://${host}/`, publicOnly)).toBeUndefined();
    }
    for (const host of [`${label}a.com`, `b${longest}`, "a..com", ".com", "a.com..", `${"ü".repeat(60)}.com`]) {
      expect(checkUrl(`https://${host}/`, publicOnly)).toMatch(/^The URL's host must have at most 253 characters/);
    }
  });

  test.each(["http://user@example.com/", "http://:secret@example.com/", "https://example.com@8.8.8.8/"])(
    "refuses credentials: %s",
    (url) => {
      expect(checkUrl(url, publicOnly)).toBe("The URL must not have a user name or a password.");
    },
  );

  test.each([
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "data:,x",
    "javascript:1",
    "ws://a.b/",
  ])("refuses the scheme of %s", (url) => {
    expect(checkUrl(url, publicOnly)).toBe("The URL must begin with http:// or https://.");
  });

  test.each([
    "",
    "example.com",
    "//example.com",
    "http://",
    "http:example.com",
    "https:/example.com",
    "https:///example.com",
    "https://example.com:0/",
    "http://1.2.3.4.5/",
    "http://[fe80::1%25eth0]/",
    "http://a b/",
  ])("refuses an invalid URL: %j", (url) => {
    expect(checkUrl(url, publicOnly)).toBe("The URL is not valid.");
  });

  test.each([
    ...["https:\\\\example.com", "https://example.com\\@other.example/", "https://exa\u200bmple.com/"],
    ...["https://ex\u00adample.com/", "https://example.com/a\tb", "https://example.com/a\nb", "https://a.com/\u202e"],
  ])("refuses a URL with characters that the parser would drop or replace: %j", (url) => {
    expect(checkUrl(url, publicOnly)).toBe("The URL must not have backslashes or invisible characters.");
  });

  test("accepts only the private addresses that the operator allows", () => {
    const loopback = egress("127.0.0.0/8");
    expect(checkUrl("http://127.0.0.1:3000/", loopback)).toBeUndefined();
    expect(checkUrl("http://localhost:3000/", loopback)).toBeUndefined();
    expect(checkUrl("http://10.0.0.1/", loopback)).toBe(notPublic);
    expect(checkUrl("http://[::ffff:127.0.0.1]/", loopback)).toBe(notPublic);
  });
});

describe("EGRESS_ALLOW_CIDRS", () => {
  afterEach(() => vi.unstubAllEnvs());

  test("allows the addresses that it lists", () => {
    vi.stubEnv("EGRESS_ALLOW_CIDRS", "10.0.0.0/8");
    expect(checkUrl("http://10.0.0.1/")).toBeUndefined();
    vi.stubEnv("EGRESS_ALLOW_CIDRS", "");
    expect(checkUrl("http://10.0.0.1/")).toBe(notPublic);
  });

  test("allows only public addresses when it is not set", () => {
    vi.stubEnv("EGRESS_ALLOW_CIDRS", undefined);
    expect(checkUrl("http://127.0.0.1/")).toBe(notPublic);
  });

  test("fails every check when it is malformed", () => {
    vi.stubEnv("EGRESS_ALLOW_CIDRS", "everything");
    expect(() => checkUrl("http://example.com/")).toThrow("is not a CIDR block");
  });
});
