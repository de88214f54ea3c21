import { describe, expect, it } from "vitest";
import { documentsUpdate } from "../../../functions/documents/documents-update.ts";
import { domainsAdd } from "../../../functions/workspace-settings/domains-add.ts";
import { domainsDelete } from "../../../functions/workspace-settings/domains-delete.ts";
import { linkOf, linkOfDocument } from "../../../lib/messages/content.ts";
import { normalDomains } from "../../../lib/schema/domain-name.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { must } from "../../support/call.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;

it("follows the metadata and the allowed domains of the workspace as they are now", async () => {
  const as = await f.newOrganization();
  await f.addDocuments(as, undefined, "d");
  const linkNow = async () => {
    const ref = { workspace: as.apiKey, organizationId, documentId: "d" };
    return linkOfDocument(ref, (await Document.get(ref)) as Document.Document);
  };
  const set = (metadata: object) =>
    must(documentsUpdate, { as, data: { organizationId, documents: [{ documentId: "d", metadata }] } });

  expect(await linkNow()).toBeUndefined();
  await set({ url: "https://docs.example.com/d", colour: "green" });
  expect(await linkNow()).toBeUndefined();
  await must(domainsAdd, { as: await f.newOrganization(), data: { domains: ["docs.example.com"] } });
  expect(await linkNow()).toBeUndefined();
  await must(domainsAdd, { as, data: { domains: ["*.example.com", "other.example"] } });
  expect(await linkNow()).toBe("https://docs.example.com/d");
  await must(domainsDelete, { as, data: { domains: ["*.example.com"] } });
  expect(await linkNow()).toBeUndefined();
  await set({ url: "https://other.example/d" });
  expect(await linkNow()).toBe("https://other.example/d");
  await set({ url: null });
  expect(await linkNow()).toBeUndefined();
});

const allowed = ["app.example.com", "*.wild.example", "www.shop.example", "bücher.example", "192.0.2.7", "localhost"];
const domains = new Set(normalDomains(allowed));

describe("a link", () => {
  it.each([
    ["https://app.example.com/documents/plan?a=1&b=2#c", "https://app.example.com/documents/plan?a=1&b=2#c"],
    ["HTTPS://APP.Example.COM", "https://app.example.com/"],
    ["https://app.example.com:8443/x", "https://app.example.com:8443/x"],
    ["https://www.app.example.com/", "https://www.app.example.com/"],
    ["https://app.example.com./x", "https://app.example.com./x"],
    ["https://a.wild.example/", "https://a.wild.example/"],
    ["https://www.wild.example/", "https://www.wild.example/"],
    ["https://a.b.wild.example/", "https://a.b.wild.example/"],
    ["https://shop.example/", "https://shop.example/"],
    ["https://www.shop.example/", "https://www.shop.example/"],
    ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
    ["https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"],
    ["https://192.0.2.7/", "https://192.0.2.7/"],
    ["https://localhost:3000/", "https://localhost:3000/"],
  ])("of %s is %s", (url, link) => {
    expect(linkOf(url, domains)).toBe(link);
  });

  it("has no character that ends it in HTML, in a text or in Slack", () => {
    expect(linkOf("https://app.example.com/)](http://e.com)?[a]#(b)", domains)).toBe(
      "https://app.example.com/%29%5D%28http://e.com%29?%5Ba%5D#%28b%29",
    );
    const link = linkOf(`https://app.example.com/a"b<c>d'e|f\u202Eg?"h<i>'j|\u200Bk#"l<m>'n|o`, domains);
    expect(link).toMatch(/^https:\/\/app\.example\.com\/[^\s"<>'|\\]+$/);
    expect(link).toMatch(/^[\x21-\x7e]+$/);
  });
});

describe("there is no link", () => {
  it.each([
    ["another scheme", "http://app.example.com/"],
    ["a script", "javascript:alert(1)//https://app.example.com/"],
    ["data", "data:text/html,https://app.example.com/"],
    ["another host", "https://evil.example/"],
    ["a host that begins with an allowed one", "https://app.example.com.evil.example/"],
    ["a host that ends with an allowed one", "https://evilapp.example.com/"],
    ["a host below an allowed one without a wildcard", "https://evil.app.example.com/"],
    ["the domain of a wildcard itself", "https://wild.example/"],
    ["a host that ends with the domain of a wildcard", "https://evilwild.example/"],
    ["a user", "https://app.example.com@evil.example/"],
    ["a user at an allowed host", "https://user@app.example.com/"],
    ["a password", "https://user:secret@app.example.com/"],
    ["an empty user", "https://@app.example.com/"],
    ["a backslash", "https://evil.example\\@app.example.com/"],
    ["a backslash as slash", "https:\\\\app.example.com/"],
    ["a line break", "https://app.example.com/\r\nBcc: x"],
    ["a tab in the scheme", "ht\ttps://app.example.com/"],
    ["a space before", " https://app.example.com/"],
    ["a null character", "https://app.example.com/\0"],
    ["no scheme", "//app.example.com/"],
    ["no host", "https:///"],
    ["no URL", "app.example.com"],
    ["a host that only looks alike", "https://аpp.example.com/"],
    ["a host with a full-width dot and more", "https://app.example.com。evil.example/"],
    ["a wildcard as host", "https://*.wild.example/"],
    ["an IP address in another form of another host", "https://0x7f.1/"],
    ["nothing", ""],
  ])("for %s", (_, url) => {
    expect(linkOf(url, domains)).toBeUndefined();
  });

  it("for what is no string, and without allowed domains", () => {
    for (const url of [undefined, null, 7, {}, ["https://app.example.com/"]])
      expect(linkOf(url, domains)).toBeUndefined();
    expect(linkOf("https://app.example.com/", new Set())).toBeUndefined();
  });
});
