import { describe, expect, it, vi } from "vitest";
import { normalDomain, normalDomains } from "../../../lib/schema/domain-name.ts";
import fc from "../../support/property.ts";

const long = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`;

const accepted: [text: string, domain: string][] = [
  ["example.com", "example.com"],
  ["EXAMPLE.Com", "example.com"],
  [" example.com\n", "example.com"],
  ["https://example.com", "example.com"],
  ["http://www.example.com/", "example.com"],
  ["HTTPS://WWW.EXAMPLE.COM", "example.com"],
  ["//example.com/path", "example.com"],
  ["capacitor://localhost", "localhost"],
  ["example.com:8080", "example.com"],
  ["https://example.com:8443/a/b?c=d@e#f", "example.com"],
  ["example.com/?a=https://www.other.com", "example.com"],
  ["example.com#a@b", "example.com"],
  ["example.com\\path", "example.com"],
  ["example.com.", "example.com"],
  ["www.example.com.", "example.com"],
  ["www.www.example.com", "example.com"],
  ["www.com", "www.com"],
  ["www.www.com", "www.com"],
  ["www", "www"],
  ["wwwexample.com", "wwwexample.com"],
  ["app.www.example.com", "app.www.example.com"],
  ["*.example.com", "*.example.com"],
  ["https://*.Example.com:8080/x", "*.example.com"],
  ["*.www.example.com", "*.www.example.com"],
  ["münchen.de", "xn--mnchen-3ya.de"],
  ["https://www.MÜNCHEN.de", "xn--mnchen-3ya.de"],
  ["xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
  ["*.例え.テスト", "*.xn--r8jz45g.xn--zckzah"],
  ["example。com", "example.com"],
  ["my_app.example.com", "my_app.example.com"],
  ["intranet", "intranet"],
  ["localhost", "localhost"],
  ["http://localhost:3000", "localhost"],
  ["127.0.0.1", "127.0.0.1"],
  ["http://192.168.0.1:3000/x", "192.168.0.1"],
  ["127.1", "127.0.0.1"],
  ["1.2.3.4.", "1.2.3.4"],
  ["[::1]", "[::1]"],
  ["http://[2001:DB8:0::1]:3000/", "[2001:db8::1]"],
  ["2001:db8::1", "[2001:db8::1]"],
  [long, long],
];

const refused = [
  "",
  " ",
  ".",
  "..",
  "/",
  "https://",
  "https:///example.com",
  "https://https://example.com",
  "file:///etc/passwd",
  "?a=b",
  "#",
  "example..com",
  ".example.com",
  "example.com..",
  "exa mple.com",
  "exa\nmple.com",
  "exa\tmple.com",
  "exa\0mple.com",
  "user@example.com",
  "https://user:pass@example.com",
  "https://@example.com",
  "https://:@example.com/",
  "mailto:a@example.com",
  "javascript:alert(1)",
  "example.com:port",
  "example.com:99999",
  "example.com:",
  "*",
  "*.",
  "**.example.com",
  "*example.com",
  "a*.example.com",
  "*.*.example.com",
  "www.*.example.com",
  "example.*",
  "*.1.2.3.4",
  "*.[::1]",
  "1.2.3.4.5",
  "256.1.1.1",
  "www.1.2.3.4",
  "[::1",
  "::1::",
  "fe80::1%eth0",
  "-example.com",
  "example-.com",
  "exa!mple.com",
  "a,b.com",
  "example.com,example.org",
  "<script>",
  `${"a".repeat(64)}.com`,
  `${long}d`,
  "a.".repeat(30_000),
];

describe("normalDomain", () => {
  it.each(accepted)("normalizes %j to %s", (text, domain) => {
    expect(normalDomain(text)).toBe(domain);
  });

  it.each(refused)("returns undefined for %j", (text) => {
    expect(normalDomain(text)).toBeUndefined();
  });

  const piece = fc.constantFrom(
    ...["www.", "WWW.", "*.", ".", "example", "com", "xn--", "münchen", "例え", "ß", "1", "127.0.0.1", "0x7f", "[::1]"],
    ...["::1", ":80", ":", "/", "//", "\\", "https://", "http:", "?", "#", "@", "%2e", "%2A", "%", "-", "_", " ", "\n"],
    ...["\u200b", "\u00ad", "\ufeff", "。", "／", "localhost", "a".repeat(63)],
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    fc.string({ unit: "binary" }),
    fc.webUrl(),
    fc.domain(),
  );

  it("never throws, and does not change a domain in normal form", () => {
    fc.assert(
      fc.property(text, (each) => {
        const domain = normalDomain(each);
        if (domain === undefined) return;
        expect(domain).toMatch(/^(?:\[[0-9a-f:]+\]|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/);
        expect(domain).not.toMatch(/^www\..+\./);
        expect(normalDomain(domain)).toBe(domain);
      }),
      { numRuns: 5_000 },
    );
  });

  it("returns the same domain with any protocol, port and path", () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/).filter((each) => each !== "www");
    const around = fc.tuple(
      fc.constantFrom("", "http://", "https://", "HTTPS://", "//", " "),
      fc.constantFrom("", "www.", "WWW."),
      fc.constantFrom("", "."),
      fc.constantFrom("", ":80", ":443", ":3000"),
      fc.constantFrom("", "/", "/a/b.html", "?q=1", "#top", "/@user"),
      fc.boolean(),
    );
    fc.assert(
      fc.property(label, label, around, (name, top, [protocol, www, dot, port, path, isUpper]) => {
        const domain = `${name}.${top}`;
        const written = `${protocol}${www}${isUpper ? domain.toUpperCase() : domain}${dot}${port}${path}`;
        expect(normalDomain(written)).toBe(domain);
      }),
    );
  });

  it("does not parse a longer host: its letters take a time that grows with their square", () => {
    const parsed = vi.spyOn(URL, "parse");
    expect(normalDomain("ü".repeat(301))).toBeUndefined();
    expect(normalDomain(`https://${"例".repeat(20_000)}/a`)).toBeUndefined();
    expect(parsed).not.toHaveBeenCalled();
    parsed.mockRestore();
    expect(normalDomain(`https://${long}:8443/${"a".repeat(1_000)}`)).toBe(long);
  });
});

describe("normalDomains", () => {
  it("returns each domain once, in the given order", () => {
    expect(normalDomains(["b.com", "https://a.com/x", "www.b.com", "A.com.", "*.a.com"])).toEqual([
      "b.com",
      "a.com",
      "*.a.com",
    ]);
  });
});
