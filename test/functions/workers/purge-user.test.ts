// The erasure of a user leaves only a tombstone in the organization.
import { afterEach, describe, expect, it, vi } from "vitest";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { type Item, segment } from "../../../lib/dynamodb/key.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { featureKinds } from "../../../lib/schema/feature-kinds.ts";
import { erasedUserId } from "../../../lib/schema/fields.ts";
import type { Judgment } from "../../../lib/schema/memory.ts";
import * as User from "../../../lib/store/access/user.ts";
import * as Judgments from "../../../lib/store/ai/judgment.ts";
import { addJudgments } from "../../../lib/store/ai/judgment-changes.ts";
import * as JudgmentMonth from "../../../lib/store/ai/judgment-month.ts";
import * as BeingErased from "../../../lib/store/erasure/being-erased.ts";
import { featureEntity } from "../../../lib/store/features/feature.ts";
import { notificationEntity } from "../../../lib/store/notifications/notification.ts";
import { recipientListEntity } from "../../../lib/store/notifications/recipients.ts";
import { presenceEntity } from "../../../lib/store/presence.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { must } from "../../support/call.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { add as addFeatures, documentUidOf, exportOf, newDocument, notify } from "../../support/feature-data.ts";
import { ann, ben, furnish, l1, l2, at as notifiedAt, uidIn } from "../../support/furnished-table.ts";
import { nextRunOf } from "../../support/jobs.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

const documentOf = (workspace: string) => ({ workspace, organizationId: "o", documentUid: uidIn("o") });
const userOf = (workspace: string, userId: string) => ({ workspace, organizationId: "o", userId });
const erasure = { organizationId: "o", userIds: [ann] };

fakeDates();
afterEach(() => void vi.restoreAllMocks());

const storeErasure = (workspace: string): Promise<string> => beginErasure(workspace, erasure);

/** The erasure's job after its first run, when calls of before have ended. */
async function started(workspace: string): Promise<string> {
  const id = await storeErasure(workspace);
  await deliver(purge, [id]);
  later(61);
  return id;
}

/** Items of the organization that name the user in their keys or attributes. */
async function naming(workspace: string, user: string) {
  const items = (await itemsOf(workspace)).filter(({ pk }) => /#O#o(?:$|#)|#X#uid-of-o(?:$|#|-)/.test(pk));
  return items.filter((item) => [user, segment(user)].some((name) => JSON.stringify(item).includes(`${name}`)));
}

describe("OK", () => {
  it("leaves a tombstone with id and generation, and keeps others' data without the user", async () => {
    const workspace = await furnish();
    const document = documentOf(workspace);
    await erased(await storeErasure(workspace));
    const key = User.userEntity.key(userOf(workspace, ann));
    const rest = (await naming(workspace, ann)).filter((item) => item.sk !== key.sk || item.pk !== key.pk);
    expect(rest).toEqual([]);
    expect(await Table.get(key)).toEqual({
      ...key,
      entity: "user",
      organizationId: "o",
      userId: ann,
      generation: 1,
      generationSince: expect.any(String),
      updatedAt: expect.any(String),
      ttl: expect.any(Number),
    });
    const kept = featureEntity.key({ ...document, locationUid: l2, kind: "comments", id: "2" });
    const left = await Table.get<{ record: string; participants: string[] }>(kept);
    expect(left?.participants).toEqual([ben]);
    expect(JSON.parse(left?.record ?? "")).toMatchObject({
      from: { userId: ben, name: ben },
      assignedTo: { userId: erasedUserId },
      comments: [{ from: { userId: ben, name: ben }, text: "by ben" }],
    });
    const noteRef = { ...document, at: notifiedAt, notificationId: "n#1" };
    const note = await Table.get<{ content: string }>(notificationEntity.key(noteRef));
    expect(JSON.parse(note?.content ?? "")).toEqual({
      actionUser: { userId: erasedUserId },
      notifyUsers: [{ userId: ben }],
    });
    const recipients = await Table.get(recipientListEntity.key({ ...noteRef, listHash: "named" }));
    expect(recipients).toMatchObject({ userIds: [ben] });
    for (const kind of featureKinds) {
      expect(await Table.get(featureEntity.key({ ...document, locationUid: l1, kind, id: "1" }))).toBeUndefined();
    }
  });

  it("leaves only the tombstone, also for data that the endpoints have stored", async () => {
    const as = await newDocument();
    const person = (userId: string) => ({ userId, name: `Full ${userId}`, email: `${userId}@x.org` });
    const [ann, ben] = [person("ann"), person("ben")];
    await must(usersAdd, { as, data: { organizationId, users: [ann, ben] } });
    const replies = [ann, ben].map((from, index) => ({
      commentId: `${index}`,
      from,
      text: "Yes.",
      taggedUsers: [ann],
    }));
    await addFeatures(as, { id: "a" }, { comments: [{ annotationId: "x", from: ben, comments: replies }] });
    await addFeatures(as, { id: "a" }, { reactions: [ann, ben].map((from, n) => ({ reactionId: `r${n}`, from })) });
    await notify(as, await documentUidOf(as), 2, [ben, ann]);
    await erased(await beginErasure(as.apiKey, { organizationId, userIds: ["ann"] }));
    const naming = (await itemsOf(as.apiKey)).filter((item) => /ann\b/.test(JSON.stringify(item)));
    expect(naming.map(({ pk }) => pk)).toEqual([User.userEntity.key(userOf(as.apiKey, "ann")).pk]);
    expect((await exportOf(as, "ben")).comments).toHaveLength(1);
  });

  it("removes the user from judgments, and increments the version of each changed month", async () => {
    const workspace = await furnish();
    const judged = (recordId: string, userId: string, organizationId: string): Judgment => {
      const actionUser = { userId, name: userId, email: `${segment(userId)}@example.com` };
      return { recordId, decision: "approved", reasoning: "Good.", actionUser, organizationId, createdAt: notifiedAt };
    };
    await addJudgments({ workspace }, [judged("r1", ann, "o"), judged("r2", ben, "o"), judged("r3", ann, "o#2")]);
    const [before] = (await JudgmentMonth.list({ workspace }, "o")).months;
    await erased(await storeErasure(workspace));
    const found = await Judgments.getMany(
      [["o", "r1"] as const, ["o", "r2"] as const, ["o#2", "r3"] as const].map(([organizationId, recordId]) =>
        Judgments.judgmentEntity.key({ workspace, organizationId, month: "2026-01", createdAt: notifiedAt, recordId }),
      ),
    );
    expect(found.map((each) => each?.actionUser)).toEqual([
      { userId: erasedUserId },
      judged("r2", ben, "o").actionUser,
      judged("r3", ann, "o#2").actionUser,
    ]);
    const [after] = (await JudgmentMonth.list({ workspace }, "o")).months;
    expect(JudgmentMonth.includes(before?.versions ?? new Map(), after?.versions ?? new Map())).toBe(false);
  });

  it("changes neither other users nor the user's other organizations", async () => {
    const workspace = await furnish();
    const elsewhere = async () => (await itemsOf(workspace)).filter(({ pk }) => /#O#o%232|#X#uid-of-o%232/.test(pk));
    const [before, members] = [await elsewhere(), await naming(workspace, ben)];
    await erased(await storeErasure(workspace));
    expect(await elsewhere()).toEqual(before);
    // Ben's part in Ann's data is removed with it, and in the texts of Ann's activities; everything else of his stays.
    const isAnnsActivity = ({ pk, sk }: Item) => /#OUT#/.test(pk) || (/#ACT$/.test(pk) && !sk.endsWith("2"));
    const kept = members
      .filter(({ pk, sk }) => !(/#L#l1$/.test(pk) || /#UP#ben#/.test(pk)) || sk.includes("#l2#"))
      .filter((item) => !isAnnsActivity(item));
    const found = (await naming(workspace, ben)).map((item) => `${item.pk} ${item.sk}`);
    expect(found.sort()).toEqual(kept.map(({ pk, sk }) => `${pk} ${sk}`).sort());
  });

  it("runs again for concurrent writes, until it finds nothing", async () => {
    const workspace = await furnish();
    const id = await started(workspace);
    await deliver(purge, [id]);
    const presence = { userId: ann, updatedAt: notifiedAt, ttl: 4_000_000_000 };
    await commit([presenceEntity.put({ ...documentOf(workspace), userId: ann }, presence)]);
    later(61);
    await deliver(purge, [id]);
    expect(await Job.get(id)).toMatchObject({ state: "waiting" });
    later(61);
    await deliver(purge, [id]);
    expect(await Job.get(id)).toMatchObject({ state: "done" });
    expect(await Table.get(User.userEntity.key(userOf(workspace, ann)))).toMatchObject({ generation: 1 });
    expect(await naming(workspace, ann)).toHaveLength(1);
  });

  it("leaves nothing of a user whom the organization does not know", async () => {
    const workspace = await furnish();
    await erased(await beginErasure(workspace, { organizationId: "o", userIds: ["nobody"] }));
    expect(await User.get(userOf(workspace, "nobody"))).toBeUndefined();
  });

  it("begins again when the user is deleted and added again after the read", async () => {
    const workspace = await furnish();
    const ref = userOf(workspace, ann);
    let isRaced = false;
    interceptStore(async ({ constructor: { name } }) => {
      if (isRaced || name !== "TransactWriteCommand") return;
      isRaced = true;
      await commit(User.removal(ref, (await User.get(ref)) as User.User));
      await commit([User.change(ref, { grant: { accessRole: "editor" } }, "either")]);
    });
    await started(workspace);
    expect(isRaced).toBe(true);
    expect(await User.get(ref)).toMatchObject({ generation: 2 });
    expect(await User.get(ref)).not.toHaveProperty("accessRole");
  });

  it("leaves a user who is added after its end, also when it runs once more", async () => {
    const workspace = await furnish();
    const id = await storeErasure(workspace);
    await erased(id);
    expect(await commit([User.change(userOf(workspace, ann), { profile: { name: "Ann" } }, "new")])).toBe(true);
    const presence = { userId: ann, generation: 1, updatedAt: notifiedAt, ttl: 4_000_000_000 };
    await commit([presenceEntity.put({ ...documentOf(workspace), userId: ann }, presence)]);
    later(600);
    await deliver(purge, [id]);
    expect(await User.get(userOf(workspace, ann))).toMatchObject({ name: "Ann" });
    expect(await naming(workspace, ann)).toHaveLength(2);
  });

  it("lets the user be added only when all erasures of the user are done", async () => {
    const workspace = await furnish();
    const first = await storeErasure(workspace);
    const second = await beginErasure(workspace, { ...erasure, userIds: [ann, "other"] });
    const running = async () =>
      (await BeingErased.jobsOf({ workspace, organizationId: "o" }, [ann])).flatMap(([, jobIds]) => jobIds);
    await erased(first);
    expect(await running()).toEqual([second]);
    await erased(second);
    expect(await running()).toEqual([]);
  });

  it("continues where its time ended, with at least one page in each run", async () => {
    const workspace = await furnish();
    let job = (await Job.get(await storeErasure(workspace))) as Job.Running;
    let runs = 0;
    for (; job.payload.pass !== 2; runs++) {
      job = { ...job, payload: nextRunOf(await purge.run(job, 0)).payload };
      expect(Buffer.byteLength(JSON.stringify(job.payload))).toBeLessThan(20_000);
    }
    expect(runs).toBeGreaterThan(20);
    expect(await naming(workspace, ann)).toHaveLength(1);
  });

  it("removes everything in two concurrent runs after interruptions at several writes", async () => {
    const workspace = await furnish();
    const id = await started(workspace);
    for (let limit = 1; limit < 12; limit += 2) {
      let writes = 0;
      interceptStore((command) => {
        if (/Write/.test(command.constructor.name) && ++writes > limit) throw new Error("killed");
      });
      await deliver(purge, [id]);
      vi.restoreAllMocks();
      later(900);
    }
    const job = (await Job.get(await started(workspace))) as Job.Running;
    await Promise.all([1, 2].map(() => purge.run(job, Date.now() + 3_600_000)));
    expect(await naming(workspace, ann)).toHaveLength(1);
  });
});
