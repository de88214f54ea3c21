import { describe, expect, it, vi } from "vitest";
import { organizationsDelete } from "../../../functions/organizations/organizations-delete.ts";
import { handler, usersAdd } from "../../../functions/users/users-add.ts";
import { usersGet } from "../../../functions/users/users-get.ts";
import { addUsers } from "../../../lib/access/add-users.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import { storedOf } from "../../support/refusal.ts";
import * as f from "../../support/workspace.ts";

const dataOf = (users: unknown[], more: object = {}) => ({ organizationId: "o", users, ...more });
const add = (as: Credentials, users: unknown[], more?: object) => must(usersAdd, { as, data: dataOf(users, more) });
const usersOf = async (as: Credentials) => (await must(usersGet, { as, data: { organizationId: "o" } })).users;
const added = (id: string) => ({ success: true, id, message: "User added." });

const places = [
  ["organization", {}, {}],
  ["folder", { folderId: "f" }, { folderIds: ["f"] }],
  ["document", { documentId: "d" }, { documentIds: ["d"] }],
] as const;

/** The documents `d` and `other`, and the folder `f`. */
async function arrange(): Promise<Credentials> {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "f" });
  await f.addDocuments(as, undefined, "d", "other");
  return as;
}

describe("OK", () => {
  it("adds users with profile and access to the organization, by default as editors", async () => {
    const as = await f.newOrganization();
    const viewer = { userId: "v", accessRole: "viewer", expiresAt: 9e10, isAdmin: true };
    const users = [{ userId: "u", name: "Ada", email: "ada@example.com" }, viewer];
    expect(await add(as, users)).toEqual({ u: added("u"), v: added("v") });
    expect(await usersOf(as)).toEqual(
      expect.arrayContaining([{ ...users[0], accessRole: "editor", isAdmin: false }, viewer]),
    );
  });

  it("stores a grant on the given document or folder only, and makes nobody a member or admin", async () => {
    const as = await f.newOrganization();
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, undefined, "d");
    const { u: said } = await add(as, [{ userId: "u", isAdmin: true }], { documentId: "d" });
    expect(said.message).toBe("User added. isAdmin has no effect on a document.");
    await add(as, [{ userId: "v", accessRole: "viewer" }], { folderId: "f" });
    const asked = { userIds: ["u", "v"], folderIds: ["f"], documentIds: ["d"] };
    const { u, v } = await f.permissionsOf(as, asked);
    const denied = { errorCode: "permission_denied" };
    expect(u).toMatchObject({
      documents: { d: { accessRole: "editor" } },
      folders: { f: denied },
      organization: { o: denied },
    });
    expect(v).toMatchObject({
      documents: { d: denied },
      folders: { f: { accessRole: "viewer" } },
      organization: { o: denied },
    });
  });

  it("applies the first entry of a repeated id", async () => {
    const as = await f.newOrganization();
    expect(await add(as, [{ userId: "u", name: "first" }, { userId: "u" }])).toEqual({ u: added("u") });
    expect(await usersOf(as)).toMatchObject([{ name: "first" }]);
  });

  it("adds a profile to a user who had only a grant, and keeps the grant", async () => {
    const as = await f.newOrganization();
    const expiresAt = 9e10;
    await f.addDocuments(as, undefined, "d");
    await f.give(
      as,
      "u",
      f.onOrganization({ accessRole: "viewer", expiresAt }),
      f.onDocument("d", { accessRole: "viewer" }),
    );
    const results = await add(as, [{ userId: "u", name: "Ada" }]);
    expect(results.u.message).toBe("User added. The user keeps its role on the organization.");
    expect(await usersOf(as)).toEqual([{ userId: "u", name: "Ada", accessRole: "viewer", expiresAt, isAdmin: false }]);
    await f.give(as, "v", f.onDocument("d", { accessRole: "viewer" }));
    const onDocument = await add(as, [{ userId: "v" }], { documentId: "d" });
    expect(onDocument.v.message).toBe("User added. The user keeps its role on the document.");
    expect(await f.onOne(as, "v", "d")).toMatchObject({ accessRole: "viewer" });
  });

  it("replaces an ended grant of a user without a profile", async () => {
    const as = await f.newOrganization();
    await f.give(as, "u", f.onOrganization({ accessRole: "viewer", expiresAt: 1 }));
    expect(await add(as, [{ userId: "u" }])).toEqual({ u: added("u") });
    expect(await usersOf(as)).toEqual([{ userId: "u", accessRole: "editor", isAdmin: false }]);
  });

  it("creates the organization with createOrganization", async () => {
    const as = await newWorkspace();
    await add(as, [{ userId: "u" }], { createOrganization: true });
    await add(as, [{ userId: "v" }], { createOrganization: true });
    expect(await usersOf(as)).toHaveLength(2);
  });

  it("accepts any id, null for optional fields, and unknown fields", async () => {
    const as = await f.newOrganization();
    const results = await add(
      as,
      f.oddIds.map((userId) => ({ userId, name: null, expiresAt: null, unknown: 1 })),
    );
    expect(Object.entries(results).toSorted()).toEqual(f.oddIds.map((id) => [id, added(id)]).toSorted());
    const listed = (await usersOf(as)).map(({ userId }: { userId: string }) => userId);
    expect(listed.toSorted()).toEqual(f.oddIds.toSorted());
  });

  it("accepts 1,000 users", async () => {
    const as = await f.newOrganization();
    const users = Array.from({ length: 1_000 }, (_, index) => ({ userId: `u${index}` }));
    const results = Object.values(await add(as, users)) as { success: boolean }[];
    expect(results.filter(({ success }) => success)).toHaveLength(1_000);
  });
});

describe.each(places)("a role on the %s", (what, named, asked) => {
  const roleOf = async (as: Credentials) => {
    const { u } = await f.permissionsOf(as, { userIds: ["u"], ...asked });
    const entries = { organization: u.organization, folder: u.folders, document: u.documents }[what];
    return (Object.values(entries) as { accessRole?: string }[])[0]?.accessRole;
  };
  const exists = {
    ...{ success: false, id: "u", code: "already-exists" },
    message: `The user already exists, with a role on the ${what}. Change the role with users/update.`,
  };
  const granted = {
    ...{ success: true, id: "u" },
    message: `The user already exists and keeps its profile. The role on the ${what} was added.`,
  };

  it("is added to a new user", async () => {
    const as = await arrange();
    expect(await add(as, [{ userId: "u" }], named)).toEqual({ u: added("u") });
    expect(await roleOf(as)).toBe("editor");
  });

  it("is added to an existing user without one, or with an ended one, who keeps the profile", async () => {
    const as = await arrange();
    await add(as, [{ userId: "u", name: "Ada" }], { documentId: "other" });
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: ["permission.update", "user.add"] });
    for (const accessRole of ["viewer", "editor"]) {
      const users = [{ userId: "u", name: "Eve", accessRole, expiresAt: accessRole === "viewer" ? 1 : undefined }];
      expect(await add(as, users, named)).toEqual({ u: granted });
    }
    expect(await usersOf(as)).toMatchObject([{ userId: "u", name: "Ada" }]);
    expect(await roleOf(as)).toBe("editor");
    const events = (await jobsOf(as, "fanout")).flatMap(({ payload }) => payload.events);
    const data = { userId: "u", resource: { type: what, id: Object.values(named)[0] ?? "o" } };
    expect(events).toMatchObject(Array(2).fill({ type: "permission.update", organizationId: "o", data }));
  });

  it("that an existing user has already is not changed, and the reply says that items failed", async () => {
    const as = await arrange();
    await add(as, [{ userId: "u", name: "Ada", accessRole: "viewer" }], named);
    const before = await storedOf(as);
    const again = { userId: "u", name: "Eve", isAdmin: true };
    expect(await add(as, [again], named)).toEqual({ u: exists });
    expect(await storedOf(as)).toEqual(before);
    const { body } = await call(usersAdd, { as, data: dataOf([again, { userId: "v" }], named) });
    expect(body.result).toMatchObject({
      message: "Users added. 1 of 2 items failed, and says why.",
      data: { u: exists, v: added("v") },
    });
  });

  it("is added once by calls at the same time", async () => {
    const as = await arrange();
    await add(as, [{ userId: "u" }], { documentId: "other" });
    const replies = await Promise.all(
      ["viewer", "editor"].map((role) => add(as, [{ userId: "u", accessRole: role }], named)),
    );
    expect(replies.map(({ u }) => u)).toEqual(expect.arrayContaining([granted, exists]));
    expect(await roleOf(as)).toBe(replies[0].u.success ? "viewer" : "editor");
  });
});

describe.each(places.slice(1))("a role on a %s that does not exist", (what, named, asked) => {
  const later = `The ${what} does not exist: the role takes effect when it is added.`;
  const code = `${what}-not-found`;

  it("is stored for a new and for an existing user, and the items say so", async () => {
    const as = await f.newOrganization();
    await add(as, [{ userId: "v" }]);
    expect(await add(as, [{ userId: "u" }, { userId: "v", accessRole: "viewer" }], named)).toEqual({
      u: { ...added("u"), message: `User added. ${later}`, code },
      v: {
        ...{ success: true, id: "v", code },
        message: `The user already exists and keeps its profile. The role on the ${what} was added. ${later}`,
      },
    });
    expect(await add(as, [{ userId: "u" }], named)).toMatchObject({
      u: { message: `The user already exists, with a role on the ${what}. Change the role with permissions/add.` },
    });
    await f.addFolders(as, { folderId: "f" });
    await f.addDocuments(as, undefined, "d");
    const roles = await f.permissionsOf(as, { userIds: ["u", "v"], ...asked });
    const found = ["u", "v"].map((id) => Object.values({ ...roles[id].folders, ...roles[id].documents }));
    expect(found).toMatchObject([[{ accessRole: "editor" }], [{ accessRole: "viewer" }]]);
  });
});

it("tries again when the grant was given between its read and its write", async () => {
  const as = await arrange();
  await add(as, [{ userId: "u" }], { documentId: "other" });
  let isRaced = false;
  interceptStore(async ({ constructor: { name } }) => {
    if (isRaced || name !== "TransactWriteCommand") return;
    isRaced = true;
    await f.give(as, "u", f.onDocument("d", { accessRole: "viewer" }));
  });
  const organization = { workspace: as.apiKey, organizationId: "o" };
  const ensure = async () => {};
  expect(await addUsers(organization, { type: "document", id: "d" }, [{ userId: "u" }], ensure)).toEqual({
    outcomes: new Map([["u", "already-exists"]]),
    isMissing: false,
  });
  vi.restoreAllMocks();
  expect(isRaced).toBe(true);
  expect(await f.onOne(as, "u", "d")).toMatchObject({ accessRole: "viewer" });
});

/** Adds a known user. The organization is deleted before the user and the document are read. Returns the HTTP status. */
async function addBesideDeletion(more: object): Promise<number> {
  const as = await arrange();
  await add(as, [{ userId: "u" }]);
  let isRaced = false;
  interceptStore(async ({ constructor: { name }, input }) => {
    if (isRaced || name !== "BatchGetCommand" || !JSON.stringify(input).includes("#U#")) return;
    isRaced = true;
    await must(organizationsDelete, { as, data: { organizationId: "o" } });
  });
  const status = await f.callSource(handler, usersAdd, dataOf([{ userId: "u" }], more), as);
  vi.restoreAllMocks();
  expect(isRaced).toBe(true);
  return status;
}

describe("INVALID_ARGUMENT", () => {
  it.each([{}, { documentId: "d" }])(
    "is returned when the organization is deleted before the read %s",
    async (more) => {
      expect(await addBesideDeletion(more)).toBe(400);
    },
  );

  it("is returned for a missing organization, and adds nobody", async () => {
    const as = await f.newOrganization();
    const before = await storedOf(as);
    for (const named of [{}, { documentId: "d" }, { folderId: "f" }]) {
      const reply = await call(usersAdd, { as, data: dataOf([{ userId: "u" }], { organizationId: "no", ...named }) });
      expect(reply).toMatchObject({
        status: 400,
        error: { message: "organizationId: The organization does not exist." },
      });
    }
    expect(await storedOf(as)).toEqual(before);
  });

  it("is returned for an organization that only another workspace has", async () => {
    await f.newOrganization();
    const reply = await call(usersAdd, { as: await newWorkspace(), data: dataOf([{ userId: "u" }]) });
    expect(reply).toMatchObject({
      status: 400,
      error: { message: "organizationId: The organization does not exist." },
    });
  });

  it.each([
    ["an empty list of users", dataOf([]), ["users"]],
    ["1,001 users", dataOf(Array(1_001).fill({ userId: "u" })), ["users"]],
    ["both a document and a folder", dataOf([{ userId: "u" }], { documentId: "d", folderId: "f" }), ["folderId"]],
    [
      "invalid fields",
      dataOf([{ name: 1 }, { userId: "", isAdmin: "yes" }]),
      ["users.0.userId", "users.0.name", "users.1.userId", "users.1.isAdmin"],
    ],
    ["an expiresAt in milliseconds", dataOf([{ userId: "u", expiresAt: 1.7e12 }]), ["users.0.expiresAt"]],
    ["an empty request", {}, ["organizationId", "users"]],
  ])("is returned for %s", async (_what, data, paths) => {
    expect(await f.issuesOf(usersAdd, await newWorkspace(), data)).toEqual(paths);
  });
});

describe("AWS calls", () => {
  it("reads organization, users and document, and writes each user's profile with its grant", async () => {
    const aws = mockAws([...f.mocked.rows, f.mocked.document]);
    expect(await f.callSource(handler, usersAdd, dataOf([{ userId: "u" }], { documentId: "d" }))).toBe(200);
    expect(aws.calls()).toEqual([
      `BatchGet W#w WORKSPACE, W#w TOKEN#${f.mocked.hash}, W#w SETTING#webhooks`,
      `BatchGet W#w#O#o ORG, ${f.keyText.user("u")}, ${f.keyText.document("d")}, ${f.keyText.beingErased("u")}`,
      `TransactWrite Update ${f.keyText.user("u")} if {no createdAt & no generation & no wasGranted}, Put W#w#X#x GRANT#u if {generation at most}`,
    ]);
    aws.restore();
  });
});
