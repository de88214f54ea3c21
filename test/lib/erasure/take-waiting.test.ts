// One erasure of a workspace reads the content for all that wait.
import { afterEach, expect, it, vi } from "vitest";
import { usersDataDelete } from "../../../functions/personal-data/users-data-delete.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { purge } from "../../../functions/workers/purge.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as User from "../../../lib/store/access/user.ts";
import * as Receipt from "../../../lib/store/erasure/receipt.ts";
import { type AwsCommand, atAwsEdge, dieBeforeCall } from "../../support/aws/edge.ts";
import { type Credentials, must } from "../../support/call.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { add, newDocument } from "../../support/feature-data.ts";
import { largeStep } from "../../support/long.ts";
import { receive } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

const named = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`);
const erase = async (as: Credentials, userId: string): Promise<string> =>
  (await must(usersDataDelete, { as, data: { userIds: [userId], organizationId } })).jobId;

/** A document with a comment that names each of the users. */
async function naming(userIds: readonly string[]): Promise<Credentials> {
  const as = await newDocument();
  const comments = userIds.map((userId, index) => {
    return { annotationId: `a${index}`, from: { userId: "ann" }, assignedTo: { userId } };
  });
  await add(as, { id: "l" }, { comments });
  return as;
}

async function eraseAll(as: Credentials, userIds: readonly string[]): Promise<string[]> {
  const jobIds: string[] = [];
  for (const userId of userIds) jobIds.push(await erase(as, userId));
  return jobIds;
}

const isOpen = async (jobId: string) => (await Job.get(jobId))?.state !== "done";

/** Runs the jobs by turns, each time a minute later, until all are done. */
async function runAll(jobIds: readonly string[], rounds = 40): Promise<void> {
  for (let round = 0; round < rounds; round++, later(61)) {
    const open = await Promise.all(jobIds.map(isOpen));
    if (!open.includes(true)) return;
    for (const jobId of jobIds) await receive(purge, [jobId]);
  }
  expect.fail("The erasures do not end.");
}

const left = async ({ apiKey }: Credentials) =>
  (await itemsOf(apiKey)).filter(({ entity, ...item }) => entity !== "user" && JSON.stringify(item).includes("user-"));

const receiptsOf = async ({ apiKey: workspace }: Credentials, jobIds: readonly string[]) => {
  const receipts = await Promise.all(jobIds.map((jobId) => Receipt.get({ workspace, jobId })));
  const bodies = receipts.map((each) => Buffer.from(each?.jws.split(".")[1] ?? "", "base64url").toString());
  return bodies.map((body) => JSON.parse(body || "{}"));
};

it.each([1, 25])(
  "%i calls read the content in two passes, and each gets a receipt for its own users",
  async (count) => {
    const userIds = named(count);
    const as = await naming(userIds);
    const jobIds = await eraseAll(as, userIds);
    let reads = 0;
    atAwsEdge(async ({ constructor: { name } }: AwsCommand, call) => {
      const output = (await call()) as { Items?: Item[] };
      if (name === "QueryCommand") reads += (output.Items ?? []).filter(({ entity }) => entity === "feature").length;
      return output;
    });
    await runAll(jobIds);
    vi.restoreAllMocks();
    expect(reads).toBe(2 * count);
    expect(await left(as)).toEqual([]);
    const receipts = await receiptsOf(as, jobIds);
    expect(receipts.map(({ jobId }) => jobId)).toEqual(jobIds);
    expect(receipts.map(({ users }) => users.length)).toEqual(userIds.map(() => 1));
    expect(new Set(receipts.map(({ together }) => together))).toEqual(new Set([count > 1 ? count : undefined]));
    expect(new Set(receipts.map(({ redacted }) => redacted.feature))).toEqual(new Set([count]));
  },
);

it("a receipt counts the users of all erasures that one job did", async () => {
  const userIds = named(3);
  const as = await naming(userIds);
  await must(usersAdd, { as, data: { organizationId, users: userIds.map((userId) => ({ userId })) } });
  const jobIds = await eraseAll(as, userIds);
  await runAll(jobIds);
  const receipts = await receiptsOf(as, jobIds);
  expect(receipts.map(({ together, removed }) => [together, removed.user])).toEqual(jobIds.map(() => [3, 3]));
});

it("erases all users, wherever the erasure that took the others dies", async () => {
  const userIds = named(3);
  for (let at = 0; ; at += largeStep) {
    newTableInMemory();
    const as = await naming(userIds);
    const jobIds = await eraseAll(as, userIds);
    for (const jobId of jobIds) await receive(purge, [jobId]);
    later(61);
    // It dies in one of its passes, or at its end.
    const isReached = dieBeforeCall(at);
    for (let pass = 0; pass < 3 && !isReached(); pass++, later(61)) await receive(purge, [jobIds[0] as string]);
    vi.restoreAllMocks();
    later(3_600);
    await runAll(jobIds);
    expect(await left(as), `call ${at}`).toEqual([]);
    expect((await receiptsOf(as, jobIds)).map(({ jobId }) => jobId)).toEqual(jobIds);
    if (!isReached()) break;
  }
});

it("a call for users whose erasure was taken begins another one", async () => {
  const userIds = named(2);
  const as = await naming(userIds);
  const [first, second] = (await eraseAll(as, userIds)) as [string, string];
  for (const jobId of [first, second]) await receive(purge, [jobId]);
  later(61);
  expect(await erase(as, "user-1")).toBe(second);
  await receive(purge, [first]);
  const third = await erase(as, "user-1");
  expect(third).not.toBe(second);
  await runAll([first, second, third]);
});

it("keeps a user who was added again after the receipt, while the erasure that took the other one goes on", async () => {
  const as = await naming(named(2));
  const [first, second] = (await eraseAll(as, named(2))) as [string, string];
  for (const jobId of [first, second]) await receive(purge, [jobId]);
  later(61);
  await receive(purge, [first]);
  // The slot of the first one ends, and the second one is faster.
  later(3_600);
  await erased(second);
  await must(usersAdd, { as, data: { organizationId, users: [{ userId: "user-1", name: "U" }] } });
  await erased(first);
  expect(await User.get({ workspace: as.apiKey, organizationId, userId: "user-1" })).toMatchObject({ name: "U" });
});
