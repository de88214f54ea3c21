// Users are added with a grant on a document, while other calls change the user or the document.
import { afterEach, expect, it, vi } from "vitest";
import { documentsMigrate } from "../../../functions/documents/documents-migrate.ts";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { migrate } from "../../../functions/workers/migrate.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, must } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import { deliver } from "../../support/run-worker.ts";
import * as f from "../../support/workspace.ts";

afterEach(() => void vi.restoreAllMocks());

const { organizationId } = f;
const data = { organizationId, documentId: "e", users: [{ userId: "u" }] };

/** Adds the user, and runs `other` as soon as the user is stored. */
async function addDuring({ apiKey: workspace }: Credentials, other: () => Promise<unknown>) {
  let isRaced = false;
  interceptStore(
    () => {},
    async ({ constructor: { name }, input }) => {
      if (isRaced || name !== "TransactWriteCommand" || !JSON.stringify(input).includes("GRANT#u")) return;
      isRaced = true;
      await other();
    },
  );
  await usersAdd.handle({ data, caller: { workspace } } as never);
  vi.restoreAllMocks();
  expect(isRaced).toBe(true);
}

/** Gives the id `e` to the document `d`. */
async function moveDocument(as: Credentials): Promise<void> {
  await must(documentsMigrate, { as, data: { organizationId, documentId: "d", newDocumentId: "e" } });
  const jobs = await jobsOf(as, "migrate");
  await deliver(
    migrate,
    jobs.map(({ id }) => id),
  );
}

async function arrange(): Promise<Credentials> {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "f", accessType: "restricted" });
  await f.addDocuments(as, "f", "d");
  return as;
}

it("the grant follows to the document that has the id now", async () => {
  const as = await arrange();
  await addDuring(as, () => moveDocument(as));
  expect(await f.onOne(as, "u", "e")).toMatchObject({ accessRole: "editor" });
});

it("the grant does not replace the one that the user has on the document that gets the id", async () => {
  const as = await arrange();
  const expiresAt = Math.floor(Date.now() / 1_000) + 3_600;
  await f.give(as, "u", f.onDocument("d", { accessRole: "viewer", expiresAt }));
  await addDuring(as, () => moveDocument(as));
  expect(await f.onOne(as, "u", "e")).toMatchObject({ accessRole: "viewer", expiresAt });
});

it("the grant does not come back after its removal", async () => {
  const as = await arrange();
  await addDuring(as, async () => {
    await moveDocument(as);
    await must(permissionsRemove, {
      as,
      data: { user: { userId: "u" }, permissions: { resources: [f.onDocument("e")] } },
    });
  });
  expect((await f.onOne(as, "u", "e")).accessRole).toBeUndefined();
});

it("the grant does not replace one of the user's next generation", async () => {
  const as = await arrange();
  await addDuring(as, async () => {
    await moveDocument(as);
    await must(usersDelete, { as, data: { organizationId, userIds: ["u"] } });
    await f.give(as, "u", f.onDocument("e", { accessRole: "viewer" }));
  });
  expect(await f.onOne(as, "u", "e")).toMatchObject({ accessRole: "viewer" });
});

/** Adds the user with a grant on the document `d`, and runs `other` after the reads. */
async function addAfter({ apiKey: workspace }: Credentials, other: () => Promise<unknown>) {
  let isRaced = false;
  interceptStore(async ({ constructor: { name }, input }) => {
    if (isRaced || name === "GetCommand" || !JSON.stringify(input).includes("GRANT#u") || "RequestItems" in input)
      return;
    isRaced = true;
    await other();
  });
  await usersAdd.handle({ data: { ...data, documentId: "d" }, caller: { workspace } } as never);
  vi.restoreAllMocks();
  expect(isRaced).toBe(true);
}

it("a grant for an existing user is in force for the user who is deleted and added again meanwhile", async () => {
  const as = await arrange();
  const again = () => must(usersAdd, { as, data: { organizationId, users: [{ userId: "u" }] } });
  await again();
  await addAfter(as, async () => {
    await must(usersDelete, { as, data: { organizationId, userIds: ["u"] } });
    await again();
  });
  expect(await f.onOne(as, "u", "d")).toMatchObject({ accessRole: "editor" });
});

it("the grant does not replace the temporary one that a user got meanwhile", async () => {
  const as = await arrange();
  const expiresAt = Math.floor(Date.now() / 1_000) + 3_600;
  await addAfter(as, () => f.give(as, "u", f.onDocument("d", { accessRole: "viewer", expiresAt })));
  expect(await f.onOne(as, "u", "d")).toMatchObject({ accessRole: "viewer", expiresAt });
});
