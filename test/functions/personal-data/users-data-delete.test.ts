// The erasure of users in all organizations or in one, and its receipt.
import { createPublicKey, hash, verify } from "node:crypto";
import { compactVerify, createLocalJWKSet } from "jose";
import { describe, expect, it } from "vitest";
import { jobsStatus } from "../../../functions/jobs/jobs-status.ts";
import { judgmentsAdd } from "../../../functions/memory/judgments-add.ts";
import { notificationsConfigSet } from "../../../functions/notifications/notifications-config-set.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { permissionsAdd } from "../../../functions/permissions/permissions-add.ts";
import { handler, usersDataDelete } from "../../../functions/personal-data/users-data-delete.ts";
import { presenceAdd } from "../../../functions/presence/presence-add.ts";
import { usergroupUsersAdd } from "../../../functions/user-groups/usergroup-users-add.ts";
import { usergroupsAdd } from "../../../functions/user-groups/usergroups-add.ts";
import { jwksRecordsGet } from "../../../functions/user-tokens/jwks-records-get.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { usersUpdate } from "../../../functions/users/users-update.ts";
import { purge } from "../../../functions/workers/purge.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as User from "../../../lib/store/access/user.ts";
import * as BeingErased from "../../../lib/store/erasure/being-erased.ts";
import { newJob } from "../../../lib/store/job.ts";
import { loggedEntity, pendingEntity } from "../../../lib/store/webhooks/delivery.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { add as addFeatures, documentId, documentUidOf, newDocument, notify } from "../../support/feature-data.ts";
import { receive } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { addEndpoint } from "../../support/webhooks.ts";
import {
  addFolders,
  callSource,
  give,
  issuesOf,
  mocked,
  onDocument,
  onFolder,
  organizationId,
} from "../../support/workspace.ts";

fakeDates();

const person = (userId: string) => ({ userId, name: `Full ${userId}`, email: `${userId}@example.org` });
const [zoe, ben] = [person("zoe-41c"), person("ben-77d")];
const users = [zoe, ben];

const erase = async (as: Credentials, userIds: string[], more: object = {}): Promise<string> =>
  (await must(usersDataDelete, { as, data: { userIds, ...more } })).jobId;

async function addGroup(as: Credentials, organizationUserGroupId: string) {
  await must(usergroupsAdd, { as, data: { organizationId, organizationUserGroups: [{ organizationUserGroupId }] } });
  return { organizationId, organizationUserGroupId };
}

/** Writes all kinds of data of both users, through the API where it can. */
async function withData(): Promise<Credentials> {
  const as = await newDocument();
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "second" }] } });
  for (const each of [organizationId, "second"]) {
    await must(usersAdd, { as, data: { organizationId: each, users } });
  }
  await must(usersUpdate, { as, data: { organizationId, users: [{ userId: zoe.userId, photoUrl: zoe.email }] } });
  await addFolders(as, { folderId: "f" });
  await give(as, zoe.userId, onFolder("f"), onDocument(documentId), onDocument("not-yet"));
  await must(usergroupUsersAdd, {
    as,
    data: { ...(await addGroup(as, "g")), userIds: users.map(({ userId }) => userId) },
  });
  await must(presenceAdd, { as, data: { organizationId, documentId, users } });
  const config = { inbox: "MINE" };
  const userIds = [zoe.userId];
  for (const documentIds of [[documentId], []]) {
    await must(notificationsConfigSet, { as, data: { organizationId, documentIds, userIds, config } });
  }
  const comments = users.map((from, index) => ({ commentId: `c${index}`, from, text: "Yes.", taggedUsers: [zoe] }));
  const annotations = users.map((from, index) => ({ annotationId: `a${index}`, from, assignedTo: zoe, comments }));
  await addFeatures(as, { id: "l" }, { comments: annotations });
  await addFeatures(as, { id: "l" }, { reactions: users.map((from, index) => ({ reactionId: `r${index}`, from })) });
  await notify(as, await documentUidOf(as), 2, [ben, zoe]);
  const judgment = { decision: "approved", reasoning: "Good.", actionUser: zoe };
  await must(judgmentsAdd, {
    as,
    data: {
      judgments: [
        { ...judgment, recordId: "j1" },
        { ...judgment, recordId: "j2", organizationId },
      ],
    },
  });
  await addDeliveries(as);
  return as;
}

/** A pending, a failed and a delivered delivery, and an event that is not a delivery yet. */
async function addDeliveries({ apiKey: workspace }: Credentials): Promise<void> {
  const { id: endpointId } = await addEndpoint(workspace, { url: "https://example.com/hooks" });
  const data = { annotationId: "a0", from: zoe.userId, userIds: [zoe.userId, ben.userId] };
  const event = { type: "comment_annotation.add", workspace, organizationId, data } as const;
  const body = JSON.stringify({ event: event.type, organizationId, data });
  const createdAt = new Date().toISOString();
  const delivery = { endpointId, event: event.type, createdAt, attempts: 0, tries: 0 };
  const last = { at: createdAt, durationMs: 1, code: 500, answer: `No ${zoe.userId}.` };
  const ref = { workspace, endpointId };
  const ttl = 4_000_000_000;
  await commit([
    pendingEntity.put({ ...ref, id: "m1", dueAt: 1 }, { ...delivery, id: "m1", body, dueAt: 1 }),
    loggedEntity.put({ ...ref, id: "m2" }, { ...delivery, id: "m2", body, status: "failed", last, ttl }),
    loggedEntity.put({ ...ref, id: "m3" }, { ...delivery, id: "m3", status: "delivered", last, ttl }),
  ]);
  await commit([], { jobs: [newJob("fanout", workspace, { eventsJson: JSON.stringify([event]), createdAt }, 86_400)] });
}

/** Items that contain one of the texts, in the order of their keys. */
async function containing(as: Credentials, ...texts: string[]): Promise<Item[]> {
  const items = await itemsOf(as.apiKey);
  return items.filter((item) => {
    const text = JSON.stringify(item, (_, value) => (value instanceof Set ? [...value] : value));
    return texts.some((each) => text.includes(each));
  });
}

async function receiptOf(as: Credentials, jobId: string) {
  const { receipt, ...status } = await must(jobsStatus, { as, data: { jobId } });
  const { body } = await call(jwksRecordsGet, { pathParameters: { apiKey: as.apiKey } });
  const { payload, protectedHeader } = await compactVerify(receipt, createLocalJWKSet(body));
  return {
    receipt,
    status,
    keys: body.keys,
    header: protectedHeader,
    record: JSON.parse(Buffer.from(payload).toString()),
  };
}

describe("OK", () => {
  it("leaves of a user in all organizations only the ids of the tombstones, which end in three days", async () => {
    const as = await withData();
    expect((await containing(as, zoe.userId)).length).toBeGreaterThan(20);
    await erased(await erase(as, [zoe.userId]));
    const left = await containing(as, zoe.userId, zoe.name, zoe.email);
    expect(left.map(({ pk, entity, ttl }) => [pk.replace(/^.*#O#(\w+)#.*$/, "$1"), entity, Number(ttl) > 0])).toEqual(
      expect.arrayContaining([
        [organizationId, "user", true],
        ["second", "user", true],
      ]),
    );
    expect(left).toHaveLength(2);
    expect(Object.keys(left[0] ?? {}).sort()).toEqual(
      ["entity", "generation", "generationSince", "organizationId", "pk", "sk", "ttl", "updatedAt", "userId"].sort(),
    );
    // The other user keeps everything of the own.
    expect((await containing(as, ben.userId)).length).toBeGreaterThan(10);
  });

  it("erases in one organization only what belongs to it", async () => {
    const as = await withData();
    await erased(await erase(as, [zoe.userId], { organizationId: "second" }));
    const left = (await containing(as, zoe.userId)).map(({ pk }) => pk);
    expect(left.length).toBeGreaterThan(20);
    expect(left.filter((pk) => pk.includes("#O#second#"))).toHaveLength(1);
    const ref = { workspace: as.apiKey, userId: zoe.userId };
    expect(await User.get({ ...ref, organizationId })).toMatchObject({ name: zoe.name, accessRole: "editor" });
  });

  it("erases people whom the workspace does not know, since they occur in content", async () => {
    const as = await newDocument();
    await addFeatures(as, { id: "l" }, { comments: [{ annotationId: "a", from: ben, assignedTo: zoe }] });
    await erased(await erase(as, [zoe.userId]));
    expect(await containing(as, zoe.userId, zoe.name)).toEqual([]);
  });

  it("can be repeated at once and later, with and without a key, and each job ends with a receipt", async () => {
    const as = await withData();
    const headers = { "idempotency-key": "k" };
    const data = { userIds: [zoe.userId] };
    const first = await must(usersDataDelete, { as, data, headers });
    expect(await must(usersDataDelete, { as, data, headers })).toEqual(first);
    const second = await erase(as, [zoe.userId, ben.userId]);
    expect(second).not.toBe(first.jobId);
    await erased(first.jobId);
    await erased(second);
    await erased(await erase(as, [zoe.userId]));
    expect(await containing(as, zoe.name, ben.name)).toEqual([]);
    expect((await receiptOf(as, second)).status).toMatchObject({
      status: "completed",
      progress: { done: 2, total: 2 },
    });
  });

  it("returns the same job for the same users and organization, until it begins to read", async () => {
    const as = await newDocument();
    const jobId = await erase(as, ["u", "v"]);
    expect(await erase(as, ["v", "u"])).toBe(jobId);
    const others = [await erase(as, ["u"]), await erase(as, ["u", "v"], { organizationId })];
    await receive(purge, [jobId]);
    expect(await erase(as, ["u", "v"])).toBe(jobId);
    later(61);
    await receive(purge, [jobId]);
    const next = await erase(as, ["u", "v"]);
    expect(new Set([jobId, next, ...others]).size).toBe(4);
  });

  it("accepts 55 calls for one user at once, and each of their jobs keeps the user from being added", async () => {
    const as = await newDocument();
    const each = Array.from({ length: 55 }, (_, index) => ({ userIds: ["u", `v${index}`] }));
    const replies = await Promise.all(each.map((data) => call(usersDataDelete, { as, data })));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const ids = replies.map((each) => each.data.jobId as string);
    expect(new Set(ids).size).toBe(55);
    const release = (id: string, index: number) =>
      BeingErased.remove({ workspace: as.apiKey }, each[index] as { userIds: string[] }, id);
    for (const [index, id] of ids.entries()) if (index > 0) await release(id, index);
    const adding = () => call(usersAdd, { as, data: { organizationId, users: [{ userId: "u" }] } });
    const { error } = await adding();
    expect(error).toMatchObject({ status: "ABORTED", message: expect.stringContaining(ids[0] as string) });
    await erased(ids[0] as string);
    expect((await adding()).data).toMatchObject({ u: { success: true } });
  });
});

describe("the receipt", () => {
  it("says who was erased by salted hashes, what, how much and when; jose and Node's own crypto verify it", async () => {
    const as = await withData();
    const jobId = await erase(as, [zoe.userId, "nobody"]);
    await erased(jobId);
    const { receipt, status, keys, header, record } = await receiptOf(as, jobId);
    expect(status).toEqual({ jobId, kind: "erasure", status: "completed", progress: { done: 2, total: 2 } });
    expect(header).toEqual({ alg: "ES256", typ: "erasure-receipt", kid: keys[0].kid });
    const hashOf = (userId: string) => hash("sha256", `${record.salt}\n${userId}`, "hex");
    expect(record.users).toEqual([hashOf(zoe.userId), hashOf("nobody")]);
    expect(record).toMatchObject({ jobId, workspace: as.apiKey });
    expect(Date.parse(record.completedAt)).toBeGreaterThan(Date.parse(record.acceptedAt));
    expect(record.removed).toMatchObject({
      user: 2,
      feature: 2,
      presence: 1,
      "document-grant": 2,
      "user-group-member": 1,
    });
    expect(record.redacted).toMatchObject({ judgment: 2, "pending-delivery": 1, "logged-delivery": 2, job: 1 });
    const ends = Object.values(record.endsLater as Record<string, string>).map(
      (end) => Date.parse(end) - Date.parse(record.completedAt),
    );
    expect(ends).toEqual([86_400_000, 3 * 86_400_000, 3 * 86_400_000, 2 * 86_400_000]);
    expect(record.notCovered.join()).toContain("the reasoning of judgments, also of those that the users made");
    expect(JSON.stringify(record)).not.toContain(zoe.userId);
    const [head, body, signature] = receipt.split(".");
    const key = { key: createPublicKey({ key: keys[0], format: "jwk" }), dsaEncoding: "ieee-p1363" } as const;
    expect(verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"))).toBe(true);
  });

  it("says what an erasure from one organization leaves", async () => {
    const as = await withData();
    const left = async (only: object) => {
      const { jobId } = await must(usersDataDelete, { as, data: { ...only, userIds: [zoe.userId] } });
      await erased(jobId);
      return (await receiptOf(as, jobId)).record.notCovered.join();
    };
    const others = "what does not belong to the organization: other organizations, webhook endpoints";
    expect(await left({ organizationId })).toContain(others);
    expect(await left({})).not.toContain(others);
  });

  it("says that access fields of others stay, which decide about their access", async () => {
    const as = await withData();
    const context = { access: { userId: zoe.userId } };
    await must(usersUpdate, { as, data: { organizationId, users: [{ userId: ben.userId, context }] } });
    const resources = [onDocument(documentId), onFolder("f")].map((each) => ({ ...each, context }));
    await must(permissionsAdd, { as, data: { user: { userId: ben.userId }, permissions: { resources } } });
    const jobId = await erase(as, [zoe.userId]);
    await erased(jobId);
    const left = (await containing(as, zoe.userId)).filter(({ access }) => access !== undefined);
    expect(left.map(({ entity }) => entity).sort()).toEqual(["document-grant", "folder-grant", "user"]);
    expect((await receiptOf(as, jobId)).record.notCovered).toContain("access fields of others, also under userId");
  });

  it("is kept for a year, longer than its job, and only its workspace gets it", async () => {
    const as = await newDocument();
    const jobId = await erase(as, ["u"]);
    await erased(jobId);
    const before = await must(jobsStatus, { as, data: { jobId } });
    later(360 * 86_400);
    expect(await must(jobsStatus, { as, data: { jobId } })).toEqual(before);
    const other = await newDocument();
    expect((await call(jobsStatus, { as: other, data: { jobId } })).error?.status).toBe("NOT_FOUND");
    later(6 * 86_400);
    expect((await call(jobsStatus, { as, data: { jobId } })).error?.status).toBe("NOT_FOUND");
  });

  it("is absent until the job is done; a job that is done names nobody", async () => {
    const as = await newDocument();
    const jobId = await erase(as, ["u-1"]);
    const pending = { jobId, kind: "erasure", status: "pending", progress: { done: 0 } };
    expect(await must(jobsStatus, { as, data: { jobId } })).toEqual(pending);
    await erased(jobId);
    expect(JSON.stringify(await Job.get(jobId))).not.toContain("u-1");
  });
});

describe("ABORTED", () => {
  it("is returned by every call that would add a user who is being erased, in each organization or in the one", async () => {
    const as = await withData();
    const group = await addGroup(as, "another");
    const jobId = await erase(as, [zoe.userId], { organizationId });
    const resources = (id: string) => ({
      user: { userId: zoe.userId },
      permissions: { resources: [{ type: "organization", id }] },
    });
    const refused = await Promise.all([
      call(usersAdd, { as, data: { organizationId, users: [ben, zoe] } }),
      call(permissionsAdd, { as, data: resources(organizationId) }),
      call(usergroupUsersAdd, { as, data: { ...group, userIds: [zoe.userId] } }),
    ]);
    for (const { error } of refused)
      expect(error).toMatchObject({ status: "ABORTED", message: expect.stringContaining(jobId) });
    await must(permissionsAdd, { as, data: resources("second") });
    await erase(as, [zoe.userId]);
    const everywhere = await call(permissionsAdd, { as, data: resources("second") });
    expect(everywhere.error?.status).toBe("ABORTED");
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for an unknown organization, also for that of another workspace", async () => {
    const [as, other] = [await newDocument(), await newDocument()];
    await must(organizationsAdd, { as: other, data: { organizations: [{ organizationId: "theirs" }] } });
    for (const id of ["missing", "theirs"]) {
      const { error } = await call(usersDataDelete, { as, data: { userIds: ["u"], organizationId: id } });
      expect(error?.message).toBe("organizationId: The organization does not exist.");
    }
    expect((await itemsOf(as.apiKey)).filter(({ entity }) => entity === "job" || entity === "being-erased")).toEqual(
      [],
    );
  });

  it("is returned for no users, for more than 100 and for invalid ids", async () => {
    const as = await newDocument();
    const many = Array.from({ length: 101 }, (_, index) => `u${index}`);
    expect(await issuesOf(usersDataDelete, as, {})).toEqual(["userIds"]);
    expect(await issuesOf(usersDataDelete, as, { userIds: [] })).toEqual(["userIds"]);
    expect(await issuesOf(usersDataDelete, as, { userIds: many })).toEqual(["userIds"]);
    expect(await issuesOf(usersDataDelete, as, { userIds: ["", 7], organizationId: "" })).toEqual([
      "userIds.0",
      "userIds.1",
      "organizationId",
    ]);
  });
});

describe("RESOURCE_EXHAUSTED", () => {
  it("is returned when a user has 100 erasures that are not done", async () => {
    const as = await newDocument();
    const jobs = Array.from({ length: 100 }, (_, index) => `job-${index}`);
    for (const job of jobs) await BeingErased.add({ workspace: as.apiKey }, { userIds: ["u"] }, job);
    const { error, headers } = await call(usersDataDelete, { as, data: { userIds: ["u"] } });
    expect(error?.status).toBe("RESOURCE_EXHAUSTED");
    expect(headers["retry-after"]).toBe("60");
  });
});

describe("AWS calls", () => {
  it("stores the job first, then an entry for each user", async () => {
    const aws = mockAws([...mocked.rows]);
    expect(await callSource(handler, usersDataDelete, { userIds: ["a", "b"], organizationId })).toBe(200);
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+$/),
      expect.stringMatching(/^(?:Get|BatchGet) W#w#O#o ORG$/),
      expect.stringMatching(/^BatchGet W#w#ER#8 [-\w]{43}, W#w#ER#2 [-\w]{43}$/),
      expect.stringMatching(/^TransactWrite Put JOB#[-\w]+ JOB if absent$/),
      expect.stringMatching(/^Update W#w#ER#8 [-\w]{43}$/),
      expect.stringMatching(/^Update W#w#ER#2 [-\w]{43}$/),
      "GenerateDataKey",
      "SendMessageBatch",
    ]);
    aws.restore();
  });
});
