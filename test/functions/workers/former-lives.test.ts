// A job can run long after its time: an operator can let a failed one run again, and a queue can deliver a message twice.
// By then everything can have been deleted and added again under the same ids. The job must not touch the new life.
import { afterEach, describe, expect, it, vi } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { documentsMigrate } from "../../../functions/documents/documents-migrate.ts";
import * as crdtAdding from "../../../functions/editor-content/crdt-add.ts";
import { crdtDelete } from "../../../functions/editor-content/crdt-delete.ts";
import { foldersDelete } from "../../../functions/folders/folders-delete.ts";
import { notificationsAdd } from "../../../functions/notifications/notifications-add.ts";
import * as organizationsAdding from "../../../functions/organizations/organizations-add.ts";
import { organizationsDelete } from "../../../functions/organizations/organizations-delete.ts";
import { usersDataDelete } from "../../../functions/personal-data/users-data-delete.ts";
import { usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import * as groupsAdding from "../../../functions/user-groups/usergroups-add.ts";
import { usergroupsDelete } from "../../../functions/user-groups/usergroups-delete.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersDelete } from "../../../functions/users/users-delete.ts";
import { advancedwebhookconfigUpdate } from "../../../functions/webhooks/advancedwebhookconfig-update.ts";
import * as endpointsCreating from "../../../functions/webhooks/webhook-endpoints-create.ts";
import { webhookEndpointsDelete } from "../../../functions/webhooks/webhook-endpoints-delete.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import type { Handler } from "../../../lib/http/lambda.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { folderGranteeEntity } from "../../../lib/store/access/grant.ts";
import { newJob } from "../../../lib/store/job.ts";
import { firstFolderUid } from "../../../lib/store/refs.ts";
import { pendingEntity } from "../../../lib/store/webhooks/delivery.ts";
import { dieBeforeCall } from "../../support/aws/edge.ts";
import { type Credentials, contextOf, eventOf, must, newWorkspace } from "../../support/call.ts";
import * as crdt from "../../support/crdt.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import * as features from "../../support/feature-data.ts";
import { runJobs, type StoredJob } from "../../support/run-jobs.ts";
import { itemsOf } from "../../support/scan.ts";
import * as f from "../../support/workspace.ts";

const { organizationId } = f;
fakeDates();
afterEach(() => void vi.restoreAllMocks());

const place = { id: "place" };
const group = { organizationId, organizationUserGroupId: "g" };
const text = { type: "text", contentKey: "content", data: "a" };

/** An organization with one of everything, always under the same ids. */
async function addAll(as: Credentials): Promise<void> {
  const request = <E extends Pick<Endpoint, "name">>(endpoint: E, data: object) =>
    must(endpoint, { as, data: { organizationId, ...data } });
  await must(organizationsAdding.organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  await f.addFolders(as, { folderId: "f" }, { folderId: "g", parentFolderId: "f" });
  await f.addDocuments(as, "g", "d", "e");
  await request(usersAdd, { users: [{ userId: "u", email: "u@example.com", color: "red" }, { userId: "v" }] });
  for (const userId of ["u", "v"]) {
    await f.give(as, userId, f.onOrganization(), f.onFolder("f"), f.onFolder("g"), f.onDocument("d"));
  }
  await request(groupsAdding.usergroupsAdd, { organizationUserGroups: [group] });
  await must(usergroupUsersAdd, { as, data: { ...group, userIds: ["u", "v"] } });
  await crdt.add(as, text);
  for (const update of crdt.typed(["a", "b"])) await crdt.send(as, update);
  const comments = [{ annotationId: "c", from: features.person("u"), comments: [] }];
  await features.add(as, place, { reactions: features.reactions(2), comments });
  const actionUser = features.person("v");
  const notifyUsers = [features.person("u")];
  const named = { notifyUsers, notifyUserGroups: ["g"], notifyAll: true, notificationId: "n" };
  await request(notificationsAdd, { documentId: "d", actionUser, isNotificationResolverUsed: true, ...named });
  await request(documentsMigrate, { documentId: "e", newDocumentId: "moved" });
}

/** Deletes everything, each thing by its own call before the organization. */
async function deleteAll(as: Credentials, seen: Map<string, StoredJob>): Promise<void> {
  const request = (endpoint: Pick<Endpoint, "name">, data: object) =>
    must(endpoint, { as, data: { organizationId, ...data } });
  await request(crdtDelete, { documentId: "d", editorIds: ["e"] });
  await features.remove(as, place);
  await request(usergroupsDelete, { organizationUserGroupIds: ["g"] });
  await request(documentsDelete, { documentIds: ["d"] });
  await request(foldersDelete, { folderIds: ["f"], recursive: true });
  await request(usersDelete, { userIds: ["u"] });
  await runJobs(as, seen);
  await request(usersDataDelete, { userIds: ["v"] });
  await runJobs(as, seen);
  await request(organizationsDelete, {});
  await runJobs(as, seen);
}

const isContent = ({ pk, entity }: Item) =>
  !pk.startsWith("JOB#") && !/^(?:call-count|waiting-slot)$/.test(`${entity}`);
const contentOf = async ({ apiKey }: Credentials) => (await itemsOf(apiKey)).filter(isContent);

/** What deleted organizations leave in the workspace. */
const ofWorkspace = /^(?:signing-key|records-key|public-records-key|receipt|token-revocation)$/;

it("no job of a former life changes anything of the next one", async () => {
  const as = await newWorkspace();
  const seen = new Map<string, StoredJob>();
  const empty = await contentOf(as);
  await addAll(as);
  await runJobs(as, seen);
  await deleteAll(as, seen);
  expect((await contentOf(as)).filter(({ entity }) => !ofWorkspace.test(`${entity}`)).length).toBeLessThanOrEqual(
    empty.length,
  );
  await addAll(as);
  await runJobs(as, new Map());
  const before = await contentOf(as);
  expect(new Set([...seen.values()].map(({ kind }) => kind))).toEqual(new Set(["purge", "migrate", "notify"]));
  for (const job of seen.values()) await commit([{ put: job }]);
  await runJobs(as);
  expect(await contentOf(as)).toEqual(before);
});

it("the purge of a folder of a former life removes what it had left of it", async () => {
  const as = await f.newOrganization();
  await f.addFolders(as, { folderId: "f" });
  await f.give(as, "u", f.onFolder("f"));
  const folder = { workspace: as.apiKey, organizationId, folderUid: firstFolderUid("f") };
  const entryOf = (userId: string) => folderGranteeEntity.put({ ...folder, userId }, { userId });
  // As if the purge had died after the grant of `v`.
  await commit([entryOf("v")]);
  const before = await contentOf(as);
  const payload = { folders: [{ organizationId, folderId: "f", folderUid: folder.folderUid }] };
  await commit([], { jobs: [newJob("purge", as.apiKey, payload)] });
  await runJobs(as);
  const { sk } = folderGranteeEntity.key({ ...folder, userId: "v" });
  expect(await contentOf(as)).toEqual(before.filter((item) => item.entity !== "folder-grantee" || item.sk !== sk));
});

describe("a call with an Idempotency-Key that is repeated after a deletion", () => {
  const headers = { "idempotency-key": "key" };

  /** Calls in a process that dies after its work, and once more after `deletion`. Returns the workspace. */
  async function repeated(
    [{ handler }, endpoint, data]: [{ handler: Handler }, Endpoint, object],
    arrange: () => Promise<Credentials>,
    [entity, deletion]: [string, (as: Credentials) => Promise<unknown>],
  ): Promise<Credentials> {
    const has = async (as: Credentials) => (await contentOf(as)).some((item) => item.entity === entity);
    for (let at = 0; at < 50; at++) {
      const as = await arrange();
      const send = async () => handler(eventOf(endpoint, { as, data, headers }) as never, contextOf("") as never);
      dieBeforeCall(at);
      await send();
      vi.restoreAllMocks();
      if (!(await has(as))) continue;
      await deletion(as);
      expect(await has(as)).toBe(false);
      later(60);
      expect(await send()).toMatchObject({ statusCode: 200 });
      return as;
    }
    throw new Error("The call does nothing.");
  }

  it("adds a group whose members stay when the former one is purged", async () => {
    const { usergroupsAdd } = groupsAdding;
    const data = { organizationId, organizationUserGroups: [group] };
    const deletion = (as: Credentials) =>
      must(usergroupsDelete, { as, data: { organizationId, organizationUserGroupIds: ["g"] } });
    const as = await repeated([groupsAdding, usergroupsAdd, data], f.newOrganization, ["user-group", deletion]);
    await must(usersAdd, { as, data: { organizationId, users: [{ userId: "u" }] } });
    await must(usergroupUsersAdd, { as, data: { ...group, userIds: ["u"] } });
    await runJobs(as);
    expect((await contentOf(as)).filter(({ entity }) => entity === "user-group-member")).toHaveLength(1);
  });

  it("adds no editor that loses its content when the former one is purged", async () => {
    const data = { ...crdt.at, ...text };
    const deletion = (as: Credentials) =>
      must(crdtDelete, { as, data: { organizationId, documentId: "d", editorIds: ["e"] } });
    const as = await repeated([crdtAdding, crdtAdding.crdtAdd, data], features.newDocument, [
      "editor-content",
      deletion,
    ]);
    await runJobs(as);
    const isAddedAgain = (await contentOf(as)).some(({ entity }) => entity === "editor-content");
    if (isAddedAgain) expect(await crdt.textOf(as)).toBe("a");
  });

  it("adds a webhook endpoint whose deliveries stay when the former one is purged", async () => {
    const { webhookEndpointsCreate } = endpointsCreating;
    const data = { url: "https://example.com/hook" };
    const arrange = async () => {
      const as = await newWorkspace();
      await must(advancedwebhookconfigUpdate, { as, data: { isEnabled: true } });
      return as;
    };
    const idOf = async (as: Credentials) =>
      (await contentOf(as)).find(({ entity }) => entity === "webhook-endpoint")?.id as string;
    const deletion = async (as: Credentials) =>
      must(webhookEndpointsDelete, { as, data: { endpointId: await idOf(as) } });
    const created = [endpointsCreating, webhookEndpointsCreate, data] as const;
    const as = await repeated([...created], arrange, ["webhook-endpoint", deletion]);
    const delivery = { id: "m", endpointId: await idOf(as), event: "document.add", createdAt: "now", attempts: 0 };
    const dueAt = Date.now() + 3_600_000;
    const ref = { workspace: as.apiKey, ...delivery, dueAt };
    await commit([pendingEntity.put(ref, { ...delivery, tries: 0, body: "{}", dueAt })]);
    await runJobs(as);
    expect((await contentOf(as)).filter(({ entity }) => entity === "pending-delivery")).toHaveLength(1);
  });

  it("adds an organization with another internal id", async () => {
    const uids = new Set<unknown>();
    const { organizationsAdd } = organizationsAdding;
    const note = async (as: Credentials) => {
      for (const item of await contentOf(as)) if (item.entity === "organization") uids.add(item.organizationUid);
    };
    const data = { organizations: [{ organizationId }] };
    const deletion = async (as: Credentials) => {
      await note(as);
      await must(organizationsDelete, { as, data: { organizationId } });
      await runJobs(as);
    };
    await note(await repeated([organizationsAdding, organizationsAdd, data], newWorkspace, ["organization", deletion]));
    expect(uids.size).toBe(2);
  });
});
