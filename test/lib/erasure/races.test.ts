// An erasure beside other calls: what has changed since the erasure read it is decided again, and a later life is kept.
import { expect, it, vi } from "vitest";
import { judgmentsAdd } from "../../../functions/memory/judgments-add.ts";
import { judgmentsDelete } from "../../../functions/memory/judgments-delete.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { purge } from "../../../functions/workers/purge.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { eraseUsersFromJudgments } from "../../../lib/erasure/erase-from-judgments.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as User from "../../../lib/store/access/user.ts";
import { getByRecordIds } from "../../../lib/store/ai/judgment.ts";
import * as ErasureCount from "../../../lib/store/erasure/erasure-count.ts";
import { atAwsEdge } from "../../support/aws/edge.ts";
import { must } from "../../support/call.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { add, newDocument } from "../../support/feature-data.ts";
import { claimed } from "../../support/jobs.ts";
import { receive } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

it("keeps a judgment deleted, or its new author, when it has changed since it was read", async () => {
  const as = await newDocument();
  const judgment = (recordId: string, userId: string) => ({
    ...{ recordId, decision: "approved", reasoning: "Good." },
    ...{ actionUser: { userId }, createdAt: "2026-01-01T00:00:00.000Z" },
  });
  const put = (...judgments: object[]) => must(judgmentsAdd, { as, data: { judgments } });
  await put(judgment("deleted", "u"), judgment("replaced", "u"), judgment("same", "u"));
  const read = (await itemsOf(as.apiKey)).filter(({ entity }) => entity === "judgment");
  await must(judgmentsDelete, { as, data: { recordIds: ["deleted"] } });
  await put(judgment("replaced", "v"));
  const ref = { workspace: as.apiKey, jobId: "job" };
  await eraseUsersFromJudgments(ref, read, new Set(["u"]), (items) => ErasureCount.counting(ref, "redacted", items));
  const authors = await getByRecordIds(ref, ["deleted", "replaced", "same"]);
  expect(authors.map((each) => each?.actionUser.userId)).toEqual([undefined, "v", "erased-user"]);
  expect(await ErasureCount.sum(ref, [ref.jobId])).toEqual({ removed: {}, redacted: { judgment: 1 } });
});

it("erases a comment that another call changes at the moment of the erasure, in each of two passes", async () => {
  const as = await newDocument();
  await add(as, { id: "l" }, { comments: [{ annotationId: "a", from: { userId: "v" }, assignedTo: { userId: "u" } }] });
  const feature = async () => (await itemsOf(as.apiKey)).find(({ entity }) => entity === "feature") as Item;
  const { pk, sk } = await feature();
  const jobId = await beginErasure(as.apiKey, { userIds: ["u"] });
  let changes = 0;
  atAwsEdge(async (command, call) => {
    const isRewrite = JSON.stringify(command.input).includes("erased-user");
    if (isRewrite && changes < 2) {
      changes += 1;
      await commit([{ update: { pk, sk }, set: { rev: `changed-${changes}` }, if: "present" }]);
    }
    return call();
  });
  // The first run reads nothing. The first two passes write nothing, the third one does, and the fourth finds nothing.
  expect(await erased(jobId)).toBe(5);
  vi.restoreAllMocks();
  expect(JSON.parse((await feature()).record as string).assignedTo).toEqual({ userId: "erased-user" });
});

it("keeps a user who was added again when the last run of the erasure is repeated", async () => {
  const as = await newDocument();
  const users = [{ userId: "u", name: "U" }];
  const addUser = () => must(usersAdd, { as, data: { organizationId, users } });
  await addUser();
  const jobId = await beginErasure(as.apiKey, { userIds: ["u"] });
  atAwsEdge(async (command, call) => {
    const values = Object.values((command.input.ExpressionAttributeValues ?? {}) as object);
    if (values.includes("done")) throw new Error("The process was killed.");
    return call();
  });
  for (let run = 0; run < 4; run++, later(61)) await receive(purge, [jobId]);
  vi.restoreAllMocks();
  expect((await Job.get(jobId))?.state).not.toBe("done");
  await addUser();
  later(3_600);
  await erased(jobId);
  expect(await User.get({ workspace: as.apiKey, organizationId, userId: "u" })).toMatchObject({ name: "U" });
});

it("gives a repeated call the job of the first one, also while its first run is in progress", async () => {
  const { apiKey: workspace } = await newDocument();
  const erasure = { userIds: ["u"], organizationId };
  const jobId = await beginErasure(workspace, erasure);
  await claimed(jobId);
  expect(await beginErasure(workspace, erasure)).toBe(jobId);
});

it("ends after ten passes, although somebody goes on writing as the user", async () => {
  const as = await newDocument();
  const jobId = await beginErasure(as.apiKey, { userIds: ["u"] });
  let passes = -1;
  while ((await Job.get(jobId))?.state !== "done") {
    await add(as, { id: "l" }, { comments: [{ annotationId: `a${passes}`, from: { userId: "u" } }] });
    await receive(purge, [jobId]);
    passes++;
    later(61);
  }
  expect(passes).toBe(10);
  const comments = (await itemsOf(as.apiKey)).filter(({ entity }) => entity === "feature");
  expect(comments.map(({ id }) => id)).toEqual([]);
});
