// An erasure removes texts from the activity log and leaves its chain as it was.
import { Readable } from "node:stream";
import { afterEach, expect, it, vi } from "vitest";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { jobsStatus } from "../../../functions/jobs/jobs-status.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { exportedLines } from "../../../infra/admin/activity-log/export.ts";
import { verifyLog } from "../../../infra/admin/activity-log/verify.ts";
import { linesOf } from "../../../infra/admin/lines.ts";
import type { Checkpoint } from "../../../lib/activity/checkpoint.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Activity from "../../../lib/store/activity/activity.ts";
import type { Texts } from "../../../lib/store/activity/activity-chain.ts";
import { activityEntryEntity } from "../../../lib/store/activity/activity-entry.ts";
import { append, chainOf, configure, newLog, organizationId } from "../../support/activity-log.ts";
import { atAwsEdge, dieBeforeCall } from "../../support/aws/edge.ts";
import { type Credentials, must } from "../../support/call.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { receive } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

const [ann, ben] = ["ann-7f3", "ben-91c"];

/** A call after the calls before. */
const then = (endpoint: Parameters<typeof must>[0], as: Credentials, data: object) => {
  later(0.02);
  return must(endpoint, { as, data: { organizationId, ...data } });
};
const comment = (as: Credentials, annotationId: string, from: string, tagged: string[]) => {
  const taggedUsers = tagged.map((userId) => ({ userId }));
  const comments = [
    {
      annotationId,
      from: { userId: from },
      comments: [{ commentId: "c", from: { userId: from }, text: "T", taggedUsers }],
    },
  ];
  return then(documentsDataAdd, as, { documentId: "d", location: { id: "l" }, comments, actionUser: { userId: from } });
};

/** A log with activities of both users, some of which name the other one. */
async function logOfTwo(): Promise<Credentials> {
  const as = await newLog();
  await then(usersAdd, as, { users: [{ userId: ann }, { userId: ben }] });
  await then(documentsAdd, as, { documents: [{ documentId: "d" }] });
  await comment(as, "by-ann", ann, [ben]);
  await comment(as, "by-ben", ben, []);
  await append(as);
  return as;
}

const refOf = ({ apiKey: workspace }: Credentials) => ({ workspace, organizationId });
const textsIn = async (as: Credentials) =>
  (await chainOf(as)).map(({ record, texts }) => {
    const { eventType } = JSON.parse(record);
    return [eventType, JSON.parse(texts ?? "{}") as Texts] as const;
  });
const naming = async (as: Credentials, userId: string) =>
  (await itemsOf(as.apiKey)).filter((item) => JSON.stringify(item).includes(userId)).map(({ entity }) => entity);

async function verdictOf(as: Credentials, ...checkpoints: Checkpoint[]) {
  const head = (await Activity.head(refOf(as))) as Activity.ChainHead;
  const pages = await Array.fromAsync(exportedLines(refOf(as), head));
  return verifyLog(linesOf(Readable.from([Buffer.from(pages.join(""))])), ...checkpoints);
}

it("removes the texts that name the user, and the chain verifies with a checkpoint of before", async () => {
  const as = await logOfTwo();
  const before = await chainOf(as);
  const head = (await Activity.head(refOf(as))) as Activity.ChainHead;
  const jobId = await beginErasure(as.apiKey, { userIds: [ann] });
  await erased(jobId);
  await append(as);
  const after = await chainOf(as);
  // The records and their hashes are as they were, and one follows.
  expect(after.map(({ record, hash }) => [record, hash]).slice(0, before.length)).toEqual(
    before.map(({ record, hash }) => [record, hash]),
  );
  expect(after).toHaveLength(before.length + 1);
  const checkpoint = { ...head, organizationId, at: "" };
  expect(await verdictOf(as, checkpoint)).toMatchObject({ verified: { records: after.length } });
  expect(new Set(await naming(as, ann))).toEqual(new Set(["user"]));
  // What others wrote without naming the user is kept.
  const texts = await textsIn(as);
  const byBen = texts.filter(([, { actionUser }]) => actionUser?.text.includes(ben));
  expect(byBen.length).toBeGreaterThan(0);
  expect(byBen.every(([, { changes }]) => changes !== undefined)).toBe(true);
  const { receipt } = await must(jobsStatus, { as, data: { jobId } });
  const said = JSON.parse(Buffer.from(receipt.split(".")[1], "base64url").toString());
  expect(said.redacted.activity).toBeGreaterThan(1);
  expect(said.removed["listed-activity"]).toBeGreaterThan(0);
});

it("removes all texts of the user's own activities, and of another's those that name the user", async () => {
  const as = await newLog();
  await then(documentsAdd, as, { documents: [{ documentId: "d" }] });
  await comment(as, "by-ann", ann, []);
  await comment(as, "by-ben", ben, [ann]);
  await append(as);
  const before = await textsIn(as);
  await erased(await beginErasure(as.apiKey, { userIds: [ann] }));
  const after = (await textsIn(as)).slice(0, before.length);
  const wasBy = (userId: string) => before.map(([, { actionUser }]) => actionUser?.text.includes(userId));
  const [own, bens] = [wasBy(ann), wasBy(ben)];
  expect(after.filter((_, index) => own[index]).every(([, texts]) => Object.keys(texts).length === 0)).toBe(true);
  const others = after.filter((_, index) => bens[index]).map(([, texts]) => texts);
  expect(others.length).toBeGreaterThan(0);
  expect(others.every(({ actionUser }) => actionUser !== undefined)).toBe(true);
});

it("records one user.delete, without the user, also when the process dies before a call", async () => {
  // The first run ends the lives, and the second one removes texts. Both are to record the erasure.
  let reached = 0;
  for (const [run, calls] of [
    [1, [4, 7, 10]],
    [2, [10, 20, 30]],
  ] as const) {
    for (const at of calls) {
      const as = await newLog();
      await then(usersAdd, as, { users: [{ userId: ann }, { userId: ben }] });
      await append(as);
      const jobId = await beginErasure(as.apiKey, { userIds: [ann, ben], organizationId });
      if (run === 2) {
        await receive(purge, [jobId]);
        later(61);
      }
      const wasReached = dieBeforeCall(at);
      await receive(purge, [jobId]);
      reached += Number(wasReached());
      vi.restoreAllMocks();
      later(3_600);
      await erased(jobId);
      await append(as);
      const deletions = (await textsIn(as)).filter(([type]) => type === "user.delete");
      expect(deletions.map(([, { changes }]) => changes?.text)).toEqual(["{}"]);
      expect(await verdictOf(as)).toHaveProperty("verified");
    }
  }
  expect(reached).toBeGreaterThan(3);
});

it("records nothing in a log that is off, unless it removes something from it", async () => {
  const as = await newLog();
  await then(usersAdd, as, { users: [{ userId: ben }] });
  await append(as);
  await configure(as, { isEnabled: false });
  await then(usersAdd, as, { users: [{ userId: ann }] });
  const typesAfter = async (userId: string) => {
    await erased(await beginErasure(as.apiKey, { userIds: [userId] }));
    await append(as);
    return (await textsIn(as)).map(([type]) => type);
  };
  expect(await typesAfter(ann)).not.toContain("user.delete");
  expect(await typesAfter(ben)).toContain("user.delete");
});

it("spares the logs of other organizations if the call names one", async () => {
  const as = await logOfTwo();
  await erased(await beginErasure(as.apiKey, { userIds: [ann], organizationId: "other" }));
  expect(await naming(as, ann)).toContain("activity");
});

it("covers an event that waits for the writer", async () => {
  const as = await newLog();
  await then(usersAdd, as, { users: [{ userId: ann }] });
  expect(await naming(as, ann)).toContain("activity-entry");
  await erased(await beginErasure(as.apiKey, { userIds: [ann] }));
  expect(await naming(as, ann)).toEqual(["user"]);
  expect((await textsIn(as)).map(([type]) => type)).toContain("user.add");
});

it.each([
  ["is off by then", { isEnabled: false }],
  ["records no deletions of users", { triggers: { user: { deleted: false } } }],
])("covers an event that waits for the first record of a log that %s", async (_, config) => {
  const as = await newLog();
  await then(usersAdd, as, { users: [{ userId: ann }] });
  await configure(as, config);
  await erased(await beginErasure(as.apiKey, { userIds: [ann] }));
  expect(await naming(as, ann)).toEqual(["user"]);
  await append(as);
  expect((await textsIn(as)).map(([type]) => type)).toContain("user.add");
});

it("covers an event of a call that was in flight, appended after the walk over the log", async () => {
  const as = await logOfTwo();
  const jobId = await beginErasure(as.apiKey, { userIds: [ann] });
  let isWritten = false;
  atAwsEdge(async (command, call) => {
    const output = await call();
    // The log is read. A call that began before the erasure now writes its entry.
    const isOfLog = command.constructor.name === "QueryCommand" && JSON.stringify(command.input).includes('#ACT"');
    if (isOfLog && !isWritten) {
      isWritten = true;
      const name = { at: new Date(Date.now() - 50_000).toISOString(), callId: "late", first: 0, nonce: "n" };
      const events = JSON.stringify([{ type: "comment.add", data: { actionUserId: ann, annotationId: "a" } }]);
      await commit([activityEntryEntity.put({ ...refOf(as), ...name }, { ...name, events })]);
    }
    return output;
  });
  await erased(jobId);
  vi.restoreAllMocks();
  expect(isWritten).toBe(true);
  expect(new Set(await naming(as, ann))).toEqual(new Set(["user"]));
  expect(await verdictOf(as)).toHaveProperty("verified");
});

it("decides again about a text that changes at the moment of the erasure", async () => {
  const as = await logOfTwo();
  const jobId = await beginErasure(as.apiKey, { userIds: [ann] });
  let changes = 0;
  atAwsEdge(async (command, call) => {
    const isRemoval =
      command.constructor.name === "TransactWriteCommand" && JSON.stringify(command.input).includes('#ACT"');
    if (isRemoval && changes === 0) {
      const [first] = (await chainOf(as)).filter(({ texts }) => texts?.includes(ann));
      const { sequence = 0 } = first ?? {};
      changes += 1;
      const key = Activity.activityEntity.key({ ...refOf(as), sequence });
      await commit([{ update: key, set: { edits: 5 }, if: "present" }]);
    }
    return call();
  });
  await erased(jobId);
  vi.restoreAllMocks();
  expect(changes).toBe(1);
  expect(new Set(await naming(as, ann))).toEqual(new Set(["user"]));
});
