import { describe, expect, it } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { handler as get, notificationsConfigGet } from "../../../functions/notifications/notifications-config-get.ts";
import { notificationsConfigSet, handler as set } from "../../../functions/notifications/notifications-config-set.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { addMembers, newDocument, numbered } from "../../support/notifications.ts";
import { storedOf } from "../../support/refusal.ts";
import { itemsOf } from "../../support/scan.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
const unset = { inbox: "ALL", email: "MINE", slack: "MINE" };
const setting = (config: object, documentIds: string[] = ["d"], userIds: string[] = ["u"]) => ({
  organizationId,
  documentIds,
  userIds,
  config,
});
const change = (as: Credentials, ...request: Parameters<typeof setting>) =>
  must(notificationsConfigSet, { as, data: setting(...request) });

async function configsOf(as: Credentials, more: object = { documentIds: ["d"], getOrganizationConfig: true }) {
  const entries = await must(notificationsConfigGet, { as, data: { organizationId, userId: "u", ...more } });
  return (entries as { config: object }[]).map(({ config }) => config);
}

describe("get", () => {
  it("returns an entry for each requested document, in the requested order, and one for the organization", async () => {
    const as = await newDocument(["u"]);
    await change(as, { inbox: "MINE" });
    const data = { organizationId, userId: "u", documentIds: ["no", "d", "no"], getOrganizationConfig: true };
    const metadata = { organizationId, apiKey: as.apiKey, documentId: null, userId: "u" };
    expect(await must(notificationsConfigGet, { as, data })).toEqual([
      { config: unset, metadata: { ...metadata, documentId: "no" } },
      { config: { ...unset, inbox: "MINE" }, metadata: { ...metadata, documentId: "d" } },
      { config: unset, metadata },
    ]);
  });

  it("returns what can be sent back: a user who has set nothing then gets the same as before", async () => {
    const as = await newDocument(["u"]);
    const [ofDocument, ofOrganization] = (await configsOf(as)) as [object, object];
    await change(as, ofDocument);
    await change(as, ofOrganization, []);
    expect(await configsOf(as)).toEqual([unset, unset]);
    // Those who get messages of changes that do not concern them.
    expect((await itemsOf(as.apiKey)).filter(({ entity }) => /watcher/.test(String(entity)))).toEqual([]);
  });

  it("returns the defaults when organization and user are missing", async () => {
    expect(await configsOf(await newWorkspace())).toEqual([unset, unset]);
  });

  it("uses the organization's level for each channel that the document's preference omits", async () => {
    const as = await newDocument(["u"]);
    await change(as, { inbox: "NONE", email: "MINE" }, []);
    await change(as, { inbox: "MINE" });
    expect(await configsOf(as)).toEqual([
      { ...unset, inbox: "MINE", email: "MINE" },
      { ...unset, inbox: "NONE", email: "MINE" },
    ]);
  });

  it.each([
    ["a request without documents and organization", {}],
    ["an empty list of documents", { documentIds: [], getOrganizationConfig: false }],
    ["31 documents", { documentIds: numbered(31) }],
  ])("refuses %s", async (_what, more) => {
    const as = await newWorkspace();
    expect(await f.issuesOf(notificationsConfigGet, as, { organizationId, userId: "u", ...more })).toEqual([
      "documentIds",
    ]);
  });
});

describe("set", () => {
  it("sets each user's preference on each document, and returns a result for each", async () => {
    const as = await newDocument(["u", "v"]);
    await f.addDocuments(as, undefined, "e");
    const ok = expect.objectContaining({ success: true });
    const entry = { success: true, documentId: "d", message: expect.any(String), documents: { d: ok, e: ok } };
    expect(await change(as, { inbox: "NONE" }, ["d", "e", "d"], ["u", "v"])).toEqual({
      u: { ...entry, userId: "u" },
      v: { ...entry, userId: "v" },
    });
    expect(await configsOf(as, { documentIds: ["d", "e"] })).toEqual([
      { ...unset, inbox: "NONE" },
      { ...unset, inbox: "NONE" },
    ]);
  });

  it("keeps omitted channels, also when concurrent calls set different ones", async () => {
    const as = await newDocument(["u"]);
    for (const documents of [["d"], []]) {
      await Promise.all(
        [{ inbox: "MINE" }, { email: "NONE" }, { slack: "MINE" }].map((one) => change(as, one, documents)),
      );
      await change(as, { inbox: "NONE", email: null }, documents);
    }
    const expected = { inbox: "NONE", email: "NONE", slack: "MINE" };
    expect(await configsOf(as)).toEqual([expected, expected]);
  });

  it("changes no other document, organization preference or workspace", async () => {
    const [as, other] = [await newDocument(["u", "v"]), await newDocument(["u"])];
    await f.addDocuments(as, undefined, "e");
    await change(as, { inbox: "NONE" });
    await change(as, { inbox: "NONE" }, ["d"], ["v"]);
    expect(await configsOf(as, { documentIds: ["e"], getOrganizationConfig: true })).toEqual([unset, unset]);
    expect(await configsOf(other)).toEqual([unset, unset]);
  });

  it("returns a failure for each missing user, document or organization, and stores nothing for it", async () => {
    const as = await newDocument(["u"]);
    const results = await change(as, { inbox: "NONE" }, ["no", "d"], ["u", "ghost"]);
    const missing = expect.objectContaining({ success: false, code: "not-found" });
    expect(results).toMatchObject({
      u: { success: false, code: "document-not-found", documentId: "no" },
      ghost: { success: false, code: "not-found", documents: { d: missing, no: missing } },
    });
    expect(results.u.documents).toMatchObject({ d: { success: true }, no: { success: false } });
    expect(await configsOf(as, { documentIds: ["d"] })).toEqual([{ ...unset, inbox: "NONE" }]);
    const before = await storedOf(as);
    expect(await change(as, { inbox: "NONE" }, [], ["ghost"])).toMatchObject({ ghost: { code: "not-found" } });
    const elsewhere = { ...setting({ inbox: "NONE" }), organizationId: "missing" };
    const reply = await must(notificationsConfigSet, { as, data: elsewhere });
    expect(reply).toMatchObject({ u: { success: false, code: "organization-not-found" } });
    expect(await storedOf(as)).toEqual(before);
  });

  it("returns a failure for a deleted user, and stores nothing for it", async () => {
    const as = await newDocument(["u"]);
    await must(usersDelete, { as, data: { organizationId, userIds: ["u"] } });
    const before = await storedOf(as);
    for (const documentIds of [["d"], []]) {
      expect(await change(as, { inbox: "NONE" }, documentIds)).toMatchObject({
        u: { success: false, code: "not-found" },
      });
    }
    expect(await storedOf(as)).toEqual(before);
  });

  it("ignores the preferences of a deleted user or document", async () => {
    const as = await newDocument(["u"]);
    await change(as, { inbox: "NONE", email: "NONE" });
    await change(as, { inbox: "NONE" }, []);
    await must(usersDelete, { as, data: { organizationId, userIds: ["u"] } });
    await addMembers(as, ["u"]);
    expect(await configsOf(as)).toEqual([unset, unset]);
    await change(as, { inbox: "MINE" });
    expect(await configsOf(as)).toEqual([{ ...unset, inbox: "MINE" }, unset]);
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    await f.addDocuments(as, undefined, "d");
    expect(await configsOf(as)).toEqual([unset, unset]);
  });

  it.each([
    ["an empty config", setting({}), "config"],
    ["an unknown value", setting({ inbox: "SOME" }), "config.inbox"],
    ["1,001 pairs of document and user", setting({ inbox: "ALL" }, numbered(13), numbered(77)), "userIds"],
    ["1,001 users", setting({ inbox: "ALL" }, [], numbered(1_001)), "userIds"],
    ["an empty list of users", setting({ inbox: "ALL" }, ["d"], []), "userIds"],
  ])("refuses %s", async (_what, data, path) => {
    expect(await f.issuesOf(notificationsConfigSet, await newWorkspace(), data)).toEqual([path]);
  });
});

it("FAILED_PRECONDITION is returned by both endpoints when the switch `notifications` is off", async () => {
  const as = await newDocument(["u"]);
  await Setting.update({ workspace: as.apiKey }, "switches", { notifications: false });
  const request = { organizationId, userId: "u", documentIds: ["d"] };
  for (const [endpoint, data] of [
    [notificationsConfigSet, setting({ inbox: "NONE" })],
    [notificationsConfigGet, request],
  ] as const) {
    const { error } = await call(endpoint, { as, data });
    expect(error).toMatchObject({ status: "FAILED_PRECONDITION", message: expect.stringContaining("notifications") });
  }
});

describe("AWS calls", () => {
  const credentials = `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#switches`;

  it("get makes two reads after the credentials; set makes two reads and one write", async () => {
    const aws = mockAws([...f.mocked.rows, f.mocked.document, f.mockedUser("u")]);
    expect(await f.callSource(get, notificationsConfigGet, { organizationId, userId: "u", documentIds: ["d"] })).toBe(
      200,
    );
    expect(aws.calls()).toEqual([
      credentials,
      `BatchGet ${f.keyText.user("u")}, W#w#O#o ORG, ${f.keyText.document("d")}`,
      "Get W#w#X#x PREF#u",
    ]);
    aws.dynamo.resetHistory();
    expect(await f.callSource(set, notificationsConfigSet, setting({ inbox: "NONE" }))).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w SETTING#switches, W#w#O#o ORG, ${f.keyText.user("u")}, ${f.keyText.document("d")}`,
      "Get W#w#X#x PREF#u",
      "TransactWrite Update W#w#X#x PREF#u if {no generation}",
    ]);
    aws.dynamo.resetHistory();
    const everything = setting({ email: "ALL", slack: "MINE" });
    expect(await f.callSource(set, notificationsConfigSet, everything)).toBe(200);
    expect(aws.calls().at(-1)).toBe(
      "TransactWrite Update W#w#X#x PREF#u if {no generation}, Put W#w#X#x#W#0 email#u, Delete W#w#X#x#W#0 slack#u",
    );
    aws.restore();
  });
});
