import { hash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { notificationsConfigGet } from "../../../functions/notifications/notifications-config-get.ts";
import { notificationsConfigSet } from "../../../functions/notifications/notifications-config-set.ts";
import { notificationsUnsubscribe } from "../../../functions/notifications/notifications-unsubscribe.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { sealCursor } from "../../../lib/http/paging.ts";
import { unsubscribeLinks } from "../../../lib/messages/unsubscribe.ts";
import * as Document from "../../../lib/store/content/document.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { add, addMembers, newDocument } from "../../support/notifications.ts";
import { expectRefused, storedOf } from "../../support/refusal.ts";
import { itemsOf } from "../../support/scan.ts";
import { addDocuments, organizationId } from "../../support/workspace.ts";

fakeDates();
beforeEach(() => void vi.stubEnv("PUBLIC_URL", "https://api.example.com"));
afterEach(() => void vi.unstubAllEnvs());

const form = { "content-type": "application/x-www-form-urlencoded" };
const request = (url: string, method = "POST", headers: object = form) => {
  const token = url.slice(url.lastIndexOf("/") + 1);
  const body = "List-Unsubscribe=One-Click";
  return call(notificationsUnsubscribe, { method, body, headers: { ...headers }, pathParameters: { token } });
};
const choose = (as: Credentials, email: string, documentIds: string[]) =>
  must(notificationsConfigSet, { as, data: { organizationId, documentIds, userIds: ["u"], config: { email } } });

async function levels(as: Credentials): Promise<string[]> {
  const data = { organizationId, userId: "u", documentIds: ["d", "e"], getOrganizationConfig: true };
  const entries: { config: { email: string } }[] = await must(notificationsConfigGet, { as, data });
  return entries.map(({ config }) => config.email);
}

/** The links in a message to the user `u` about the document `d`. */
async function linksOf({ apiKey: workspace }: Credentials) {
  const found = (await Document.get({ workspace, organizationId, documentId: "d" })) as Document.Document;
  const about = { organizationId, documentUid: found.documentUid, userId: "u", generation: 0 };
  return (await unsubscribeLinks({ workspace }, about)) as { document: string; organization: string };
}

async function subscribed(): Promise<Credentials> {
  const as = await newDocument(["u"]);
  await addDocuments(as, undefined, "e");
  await add(as, { notifyAll: false });
  return as;
}

async function expectNoLongerCounts(url: string): Promise<void> {
  const { status, body } = await request(url);
  expect([status, /<h1>.*?<\/h1>/.exec(body)?.[0]]).toEqual([200, "<h1>This link no longer counts</h1>"]);
}

describe("OK", () => {
  it("POST without credentials ends the e-mails about the document, and takes the user off its list", async () => {
    const as = await subscribed();
    await choose(as, "ALL", ["d"]);
    const { document } = await linksOf(as);
    expect(document).toMatch(/^https:\/\/api\.example\.com\/v2\/notifications\/unsubscribe\/[\w-]+\.[\w-]+$/);
    const { status, body } = await request(document);
    expect(status).toBe(200);
    expect(body).toContain("no more e-mails about this document");
    expect(await levels(as)).toEqual(["NONE", "MINE", "MINE"]);
    expect((await itemsOf(as.apiKey)).filter(({ entity }) => entity === "document-watcher")).toEqual([]);
    const before = await storedOf(as);
    await request(document);
    expect(await storedOf(as)).toEqual(before);
  });

  it("the other link ends them for the organization, also where the document has a level of its own", async () => {
    const as = await subscribed();
    await choose(as, "ALL", ["d", "e"]);
    const { organization } = await linksOf(as);
    expect((await request(organization)).body).toContain("documents of this organization");
    expect(await levels(as)).toEqual(["NONE", "ALL", "NONE"]);
  });

  it("GET shows a page that asks, and changes nothing", async () => {
    const as = await subscribed();
    const links = await linksOf(as);
    const before = await storedOf(as);
    for (const url of Object.values(links)) {
      const { status, headers, body } = await request(url, "GET", {});
      expect(status).toBe(200);
      expect(body).toMatch(/<form method="post"><button type="submit">Stop /);
      expect(body).not.toMatch(/<script|<img|<link|href=|src=/);
      expect(headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-request-id": expect.stringMatching(/./),
      });
      const [, style = ""] = /<style>(.*)<\/style>/.exec(body) ?? [];
      const policy = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; form-action 'self'; `;
      expect(headers["content-security-policy"]).toContain(policy);
    }
    expect(await storedOf(as)).toEqual(before);
  });

  it.each([
    ["the user is gone", (as: Credentials) => must(usersDelete, { as, data: { organizationId, userIds: ["u"] } })],
    [
      "the user lives again",
      async (as: Credentials) => {
        await must(usersDelete, { as, data: { organizationId, userIds: ["u"] } });
        await addMembers(as, ["u"]);
      },
    ],
  ])("both links change nothing, and say so, when %s", async (_what, change) => {
    const as = await subscribed();
    const links = await linksOf(as);
    await change(as);
    const before = await storedOf(as);
    for (const url of Object.values(links)) await expectNoLongerCounts(url);
    expect(await storedOf(as)).toEqual(before);
  });

  it("the link of a document that is gone says so; that of its organization still works", async () => {
    const as = await subscribed();
    const links = await linksOf(as);
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    await addDocuments(as, undefined, "d");
    await expectNoLongerCounts(links.document);
    expect(await levels(as)).toEqual(["MINE", "MINE", "MINE"]);
    await request(links.organization);
    expect(await levels(as)).toEqual(["NONE", "NONE", "NONE"]);
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for every token that is no link of a workspace, and nothing is changed", async () => {
    const [as, other] = [await subscribed(), await subscribed()];
    const { document } = await linksOf(as);
    const token = document.slice(document.lastIndexOf("/") + 1);
    const [name, body = ""] = token.split(".");
    const [otherName] = (await linksOf(other)).document.split("/").at(-1)?.split(".") ?? [];
    const workspace = (await Workspace.get({ workspace: as.apiKey })) as Workspace.Workspace;
    const tokens = [
      `${name}.${body.slice(0, -4)}`,
      `${name}.${body.slice(0, 40)}${body[40] === "A" ? "B" : "A"}${body.slice(41)}`,
      `${otherName}.${body}`,
      `${name}.${sealCursor(workspace, ["list"], { userId: "u" })}`,
      `${name}.AAAA`,
      `${Buffer.from("ws_unknown").toString("base64url")}.${body}`,
      "x",
      "a.b.c",
      `${name}.${"A".repeat(20_000)}`,
    ];
    const before = await storedOf(as);
    for (const each of tokens) {
      for (const method of ["GET", "POST"]) expectRefused(await request(`/${each}`, method), "INVALID_ARGUMENT");
    }
    expect(await storedOf(as)).toEqual(before);
  });

  it("is returned after a year, and as a page for a browser", async () => {
    const as = await subscribed();
    const { document } = await linksOf(as);
    later(364 * 86_400);
    expect((await request(document, "GET")).status).toBe(200);
    later(2 * 86_400);
    const { status, headers, body } = await request(document, "GET", { accept: "text/html,*/*" });
    expect([status, headers["content-type"]]).toEqual([400, "text/html; charset=utf-8"]);
    expect(body).toContain("<p>This link has ended.");
  });
});

it("makes no links while the service does not know its address", async () => {
  vi.stubEnv("PUBLIC_URL", "");
  expect(await linksOf(await subscribed())).toBeUndefined();
});
