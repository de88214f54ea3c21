// get-permissions with `explain`. test/lib/access/resolve.test.ts has the rules.
import { describe, expect, it } from "vitest";
import { permissionsGet } from "../../../functions/permissions/permissions-get.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { type Credentials, must } from "../../support/call.ts";
import fc from "../../support/property.ts";
import * as f from "../../support/workspace.ts";

interface Reason {
  level: string;
  id: string;
  accessRole?: string;
  expiresAt?: number;
}

const depth = 8;
const folderIds = Array.from({ length: depth }, (_, index) => `f${index}`);
const userIds = Array.from({ length: 30 }, (_, index) => `u${index}`);
const accessTypes = ["restricted", "organizationPrivate", "public"] as const;

const role = fc.constantFrom("viewer", "editor");
const grant = fc.record(
  { accessRole: role, expiresAt: fc.constantFrom(1, 9e10, 9e10 + 1) },
  { requiredKeys: ["accessRole"] },
);
const grantsOfUser = fc.record(
  {
    organization: fc.record(
      { accessRole: role, expiresAt: fc.constantFrom(1, 9e10) },
      { requiredKeys: ["accessRole"] },
    ),
    isAdmin: fc.boolean(),
    folders: fc.array(fc.tuple(fc.constantFrom(...folderIds), grant), { maxLength: 3 }),
    document: grant,
  },
  { requiredKeys: ["isAdmin", "folders"] },
);

/** Folders inside each other, of which one in the middle has an access type, and a document in the innermost. */
async function nested(accessType: string): Promise<Credentials> {
  const as = await f.newOrganization();
  const folders = folderIds.map((folderId, index) => ({
    folderId,
    ...(index > 0 && { parentFolderId: `f${index - 1}` }),
    ...(index === 3 && { accessType }),
  }));
  await f.addFolders(as, ...folders);
  await f.addDocuments(as, folderIds.at(-1), "d");
  return as;
}

const explained = (as: Credentials, more: object = {}) =>
  f.permissionsOf(as, { userIds, folderIds, documentIds: ["d"], explain: true, ...more });

const admin = (as: Credentials, userId: string, organization: object) =>
  f.giveToken(as, {
    userId,
    userProperties: { isAdmin: true },
    resources: [f.onOrganization(organization) as never],
  });

/** Gives a user only the grant that a reason names. */
async function giveReason(as: Credentials, userId: string, { level, id, ...granted }: Reason): Promise<void> {
  if (level === "admin") await admin(as, userId, granted);
  else if (level === "organization") await f.give(as, userId, f.onOrganization(granted));
  else if (level === "folder") await f.give(as, userId, f.onFolder(id, granted));
  else if (level === "document") await f.give(as, userId, f.onDocument(id, granted));
}

describe("explain", () => {
  it.each(accessTypes)("names a grant that alone gives the same role and end, in a folder that is %s", async (type) => {
    const as = await nested(type);
    const all = fc.sample(grantsOfUser, userIds.length);
    for (const [index, { organization, isAdmin, folders, document }] of all.entries()) {
      const userId = `u${index}`;
      if (organization && isAdmin) await admin(as, userId, organization);
      else if (organization) await f.give(as, userId, f.onOrganization(organization));
      const resources = [
        ...folders.map(([id, each]) => f.onFolder(id, each)),
        ...(document ? [f.onDocument("d", document)] : []),
      ];
      if (resources.length > 0) await f.give(as, userId, ...resources);
    }
    const given = await explained(as);
    const alone = await nested(type);
    for (const userId of userIds) await giveReason(alone, userId, given[userId].documents.d.because);
    const same = await explained(alone);
    for (const userId of userIds) expect(same[userId].documents.d).toEqual(given[userId].documents.d);
    const levels = new Set(userIds.map((userId) => given[userId].documents.d.because.level));
    expect(levels.size).toBeGreaterThan(2);
    for (const { documents } of Object.values(given) as { documents: { d: Reason & { because: Reason } } }[]) {
      const { because, accessRole, expiresAt } = documents.d;
      expect([because.accessRole, because.expiresAt]).toEqual([accessRole, expiresAt]);
    }
  });

  it("names the nearest of several grants, the access type, nothing, and an admin", async () => {
    const as = await f.newOrganization();
    await f.addFolders(
      as,
      { folderId: "f0" },
      { folderId: "f1", parentFolderId: "f0" },
      { folderId: "open", accessType: "public" },
    );
    await f.addDocuments(as, "f1", "d");
    await f.addDocuments(as, "open", "p");
    await f.give(as, "ann", f.onFolder("f0", { accessRole: "viewer" }), f.onFolder("f1", { expiresAt: 9e10 }));
    await f.give(as, "ben", f.onOrganization({ accessRole: "viewer" }));
    await must(usersAdd, { as, data: { organizationId: "o", users: [{ userId: "cat" }] } });
    const asked = { userIds: ["ann", "ben", "cat", "no"], folderIds: ["f0"], documentIds: ["d", "p"], explain: true };
    const { ann, ben, cat, no } = await f.permissionsOf(as, asked);
    expect(ann.documents.d.because).toEqual({ level: "folder", id: "f1", accessRole: "editor", expiresAt: 9e10 });
    expect(ann.folders.f0.because).toEqual({ level: "folder", id: "f0", accessRole: "viewer" });
    expect(ben.documents.d.because).toEqual({ level: "organization", id: "o", accessRole: "viewer" });
    expect(ben.organization.o.because).toEqual({ level: "organization", id: "o", accessRole: "viewer" });
    expect(no.documents.p.because).toEqual({ level: "accessType", id: "p", accessRole: "viewer" });
    expect(no.organization.o.because).toEqual({ level: "none", id: "o" });
    expect(no.documents.d).toMatchObject({ errorCode: "permission_denied", because: { level: "none", id: "d" } });
    expect(cat.documents.d.because.level).toBe(cat.documents.d.accessRole ? "organization" : "none");
  });

  it("is absent without the field, and for what does not exist", async () => {
    const as = await f.newOrganization();
    await f.addDocuments(as, undefined, "d");
    for (const explain of [undefined, null, false]) {
      const { u } = await f.permissionsOf(as, { userIds: ["u"], documentIds: ["d"], explain });
      expect(u.documents.d).not.toHaveProperty("because");
    }
    expect(await f.issuesOf(permissionsGet, as, { organizationId: "o", userIds: ["u"], explain: "yes" })).toEqual([
      "explain",
    ]);
  });

  it("fits a reply with 10,000 entries", async () => {
    const as = await f.newOrganization();
    const ids = (prefix: string) => Array.from({ length: 100 }, (_, index) => `${prefix}${index}`);
    await f.addDocuments(as, undefined, ...ids("d"));
    const reply = await f.permissionsOf(as, { userIds: ids("u"), documentIds: ids("d"), explain: true });
    expect(reply.u99.documents.d99.because).toEqual({ level: "none", id: "d99" });
  });
});
