// Users erased from an organization: nothing of theirs is left there but a tombstone.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { usersAdd } from "../../../functions/access/users-add.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { eraseJob, forget } from "../../../lib/deletion/erase-user.ts";
import { erasedUserId } from "../../../lib/deletion/redact.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import type { Judgment } from "../../../lib/schema/memory.ts";
import { dataKeys } from "../../../lib/store/data-keys.ts";
import * as Judgments from "../../../lib/store/judgment.ts";
import { keys, segment } from "../../../lib/store/keys.ts";
import { memoryKeys } from "../../../lib/store/memory-keys.ts";
import * as User from "../../../lib/store/user.ts";
import { ann, ben, furnish, at as notifiedAt } from "../../faults/furnish.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { must } from "../../support/call.ts";
import { add as addFeatures, exportOf, newDocument, notify, uidOf } from "../../support/feature-data.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

const erasure = { organizationId: "o", userId: ann };
const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function eraseWith(workspace: string): Promise<string> {
  const job = eraseJob(workspace, erasure);
  await commit([], { jobs: [job] });
  return job.id;
}

async function runTwice(id: string): Promise<void> {
  await deliver(purge, [id]);
  later(60);
  await deliver(purge, [id]);
  expect(await Job.get(id)).toMatchObject({ state: "done" });
}

/** Items of the organization that name the user, in keys or in content; a job has only the id to erase. */
async function naming(workspace: string, user: string) {
  const items = (await itemsOf(workspace)).filter(({ pk }) => /#O#o(?:$|#)|#X#uid-of-o(?:$|#|-)/.test(pk));
  return items.filter((item) => [user, segment(user)].some((name) => JSON.stringify(item).includes(`${name}`)));
}

describe("OK", () => {
  it("leaves a tombstone with the id and a count, and of others' data all but the user", async () => {
    const workspace = await furnish();
    const { pk, sk } = dataKeys.feature(workspace, "uid-of-o", "l2", "comments", "1");
    await runTwice(await eraseWith(workspace));
    const tombstone = { ...keys.user(workspace, "o", ann), userId: ann, life: 1 };
    const rest = (await naming(workspace, ann)).filter((item) => item.sk !== tombstone.sk || item.pk !== tombstone.pk);
    expect(rest).toEqual([]);
    expect(await Table.get(keys.user(workspace, "o", ann))).toEqual(tombstone);
    const left = await Table.get<{ record: string; participants: string[] }>({ pk, sk });
    expect(left?.participants).toEqual([ben]);
    expect(JSON.parse(left?.record ?? "")).toMatchObject({
      from: { userId: ben, name: ben },
      assignedTo: { userId: erasedUserId },
      comments: [{ from: { userId: ben, name: ben }, text: "by ben" }],
    });
    const note = await Table.get<{ content: string }>(dataKeys.notification(workspace, "uid-of-o", notifiedAt, "n#1"));
    expect(JSON.parse(note?.content ?? "")).toEqual({
      actionUser: { userId: erasedUserId },
      notifyUsers: [{ userId: ben }],
    });
    const recipients = await Table.get(dataKeys.recipients(workspace, "uid-of-o", "n#1", "named"));
    expect(recipients).toMatchObject({ userIds: [ben] });
    for (const kind of ["comments", "reactions", "recordings"] as const) {
      expect(await Table.get(dataKeys.feature(workspace, "uid-of-o", "l1", kind, "1"))).toBeUndefined();
    }
  });

  it("leaves no trace in what the endpoints have stored but the tombstone", async () => {
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
    await notify(as, await uidOf(as), 2, [ben, ann]);
    const job = eraseJob(as.apiKey, { organizationId, userId: "ann" });
    await commit([], { jobs: [job] });
    await runTwice(job.id);
    const naming = (await itemsOf(as.apiKey)).filter((item) => /ann\b/.test(JSON.stringify(item)));
    expect(naming.map(({ pk }) => pk).sort()).toEqual([
      `JOB#${job.id}`,
      keys.user(as.apiKey, organizationId, "ann").pk,
    ]);
    expect((await exportOf(as, "ben")).comments).toHaveLength(1);
  });

  it("takes the user off what they judged, for those too who keep an index of it", async () => {
    const workspace = await furnish();
    const judged = (recordId: string, userId: string, organizationId: string): Judgment => {
      const actionUser = { userId, name: userId, email: `${segment(userId)}@example.com` };
      return { recordId, decision: "approved", reasoning: "Good.", actionUser, organizationId, createdAt: notifiedAt };
    };
    await Judgments.add(workspace, [judged("r1", ann, "o"), judged("r2", ben, "o"), judged("r3", ann, "o#2")]);
    const [before] = await Judgments.months(workspace, "o");
    await runTwice(await eraseWith(workspace));
    const found = await Judgments.getMany(
      [["o", "r1"] as const, ["o", "r2"] as const, ["o#2", "r3"] as const].map(([organizationId, recordId]) =>
        memoryKeys.judgment(workspace, organizationId, notifiedAt, recordId),
      ),
    );
    expect(found.map((each) => each?.actionUser)).toEqual([
      { userId: erasedUserId },
      judged("r2", ben, "o").actionUser,
      judged("r3", ann, "o#2").actionUser,
    ]);
    const [after] = await Judgments.months(workspace, "o");
    expect(after?.version).toBeGreaterThan(before?.version ?? 0);
  });

  it("touches neither other users nor the same user's other organizations", async () => {
    const workspace = await furnish();
    const elsewhere = async () => (await itemsOf(workspace)).filter(({ pk }) => /#O#o%232|#X#uid-of-o%232/.test(pk));
    const [before, members] = [await elsewhere(), await naming(workspace, ben)];
    await runTwice(await eraseWith(workspace));
    expect(await elsewhere()).toEqual(before);
    // Ben's part in what Ann made goes with it; all else of his stays.
    const kept = members.filter(({ pk, sk }) => !(/#L#l1$/.test(pk) || /#UP#ben#/.test(pk)) || sk.includes("#l2#"));
    const found = (await naming(workspace, ben)).map((item) => `${item.pk} ${item.sk}`);
    expect(found.sort()).toEqual(kept.map(({ pk, sk }) => `${pk} ${sk}`).sort());
  });

  it("looks again for what raced it, and ends when it finds nothing", async () => {
    const workspace = await furnish();
    const id = await eraseWith(workspace);
    await deliver(purge, [id]);
    await commit([{ put: { ...dataKeys.presence(workspace, "uid-of-o", ann), userId: ann } }]);
    await commit([User.change(workspace, "o", ann, { profile: { name: "Ann" } }, "either")]);
    later(60);
    await deliver(purge, [id]);
    expect(await Job.get(id)).toMatchObject({ state: "waiting" });
    later(60);
    await deliver(purge, [id]);
    expect(await Job.get(id)).toMatchObject({ state: "done" });
    expect(await Table.get(keys.user(workspace, "o", ann))).toMatchObject({ life: 2 });
    expect(await naming(workspace, ann)).toHaveLength(1);
  });

  it("ends access at once, and of a user whom nobody knows what is still under way", async () => {
    const workspace = await furnish();
    expect(await forget(workspace, erasure)).toBe(true);
    expect(await forget(workspace, erasure)).toBe(false);
    expect(await forget(workspace, { ...erasure, userId: "nobody" })).toBe(true);
    expect(await Table.get(keys.user(workspace, "o", "nobody"))).toMatchObject({ life: 1 });
  });

  it("goes on from where its time ended, one page a run", async () => {
    const workspace = await furnish();
    let job = eraseJob(workspace, erasure);
    let runs = 0;
    for (; !job.payload.secondPassAt; runs++) {
      const outcome = await purge.run(job, 0);
      if (outcome === "done") return expect.fail("done too early");
      job = { ...job, payload: outcome.again.payload };
      expect(Buffer.byteLength(JSON.stringify(job.payload))).toBeLessThan(20_000);
    }
    expect(runs).toBeGreaterThan(20);
    expect(await naming(workspace, ann)).toHaveLength(1);
  });

  it("is safe to run twice at once, and to be killed at any write", async () => {
    const workspace = await furnish();
    const id = await eraseWith(workspace);
    for (let limit = 1; limit < 12; limit += 2) {
      let writes = 0;
      interceptStore((command) => {
        if (/Write/.test(command.constructor.name) && ++writes > limit) throw new Error("killed");
      });
      await deliver(purge, [id]);
      vi.restoreAllMocks();
      later(900);
    }
    const job = eraseJob(workspace, erasure);
    await Promise.all([1, 2].map(() => purge.run(job, Date.now() + 3_600_000)));
    expect(await naming(workspace, ann)).toHaveLength(1);
  });
});
