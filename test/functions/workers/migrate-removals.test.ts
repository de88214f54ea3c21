// Access that ends while a migration moves the grants that were given on the new id before.
import { afterEach, describe, expect, it, vi } from "vitest";
import { documentsMigrate } from "../../../functions/documents/documents-migrate.ts";
import { permissionsAdd } from "../../../functions/permissions/permissions-add.ts";
import { permissionsGet } from "../../../functions/permissions/permissions-get.ts";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { usersUpdate } from "../../../functions/users/users-update.ts";
import { migrate } from "../../../functions/workers/migrate.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import { deliver } from "../../support/run-worker.ts";
import * as f from "../../support/workspace.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

const organizationId = "o";
const past = () => Math.floor(Date.now() / 1_000) - 1;
const resource = f.onDocument("e");

/** Ends the user's access to the document by its new id. Returns whether the reply says so. */
type End = (as: Credentials, userId: string) => Promise<boolean>;
const ends: Record<string, End> = {
  "permissions/remove": async (as, userId) => {
    const data = { user: { userId }, permissions: { resources: [resource] } };
    return (await must(permissionsRemove, { as, data })).removed === 1;
  },
  "a past end by users/update": async (as, userId) => {
    const data = { organizationId, documentId: "e", users: [{ userId, expiresAt: past() }] };
    return (await must(usersUpdate, { as, data }))[userId].success;
  },
  "a past end by permissions/add": async (as, userId) => {
    const data = { user: { userId }, permissions: { resources: [{ ...resource, expiresAt: past() }] } };
    return (await must(permissionsAdd, { as, data })).granted === 1;
  },
  "users/delete": async (as, userId) =>
    (await must(usersDelete, { as, data: { organizationId, userIds: [userId] } }))[userId].success,
};

const users = Array.from({ length: 100 }, (_, index) => `u${index}`);

/** So many users have a grant on the old id too, which ends soon. Their other grant must not follow. */
const withEnd = 4;

async function arrange(count = users.length): Promise<{ as: Credentials; job: string }> {
  const as = await f.newOrganization();
  const added = users.slice(0, count).map((userId) => ({ userId }));
  await must(usersAdd, { as, data: { organizationId, documentId: "e", users: added } });
  await f.addDocuments(as, undefined, "d");
  const soon = Math.floor(Date.now() / 1_000) + 30;
  for (const userId of users.slice(0, count > withEnd ? withEnd : 0))
    await f.give(as, userId, f.onDocument("d", { expiresAt: soon }));
  await must(documentsMigrate, { as, data: { organizationId, documentId: "d", newDocumentId: "e" } });
  const [job] = await jobsOf(as, "migrate");
  return { as, job: String(job?.id) };
}

async function finish(job: string): Promise<void> {
  for (let run = 0; (await Job.get(job))?.state !== "done"; run++) {
    expect(run).toBeLessThan(10);
    later(120);
    await deliver(migrate, [job]);
  }
}

async function editors(as: Credentials): Promise<string[]> {
  const data = { organizationId, userIds: users, documentIds: ["e"] };
  const permissions = await must(permissionsGet, { as, data });
  return users.filter((userId) => permissions[userId].documents.e.accessRole);
}

describe.each(Object.entries(ends))("access ended by %s", (_, end) => {
  it("does not come back, at any point of the migration", async () => {
    const { as, job } = await arrange();
    const ended: string[] = [];
    let point = 0;
    interceptStore(async () => {
      const userId = users[point++] ?? expect.fail("more calls than users");
      if (await end(as, userId)) ended.push(userId);
    });
    await deliver(migrate, [job]);
    await finish(job);
    vi.restoreAllMocks();
    expect(ended.length).toBeGreaterThan(12);
    expect(await editors(as)).toEqual(users.slice(withEnd).filter((userId) => !ended.includes(userId)));
  });
});

it("a removal does not come back when the worker ends at any call", async () => {
  const { "permissions/remove": remove = () => expect.fail() } = ends;
  for (let point = 0, isOver = false; !isOver; point++) {
    const { as, job } = await arrange(2);
    let calls = 0;
    interceptStore(async () => {
      if (calls++ !== point) return;
      expect(await remove(as, "u1")).toBe(true);
      throw new Error("The process was killed.");
    });
    await deliver(migrate, [job]);
    isOver = calls <= point;
    vi.restoreAllMocks();
    await finish(job);
    expect((await editors(as)).includes("u1"), `call ${point}`).toBe(isOver);
  }
});
